import json

import torch
from accelerate import Accelerator

accelerator = Accelerator()


@accelerator.on_main_process
def write_report(values):
    with open("report.json", "w") as handle:
        json.dump(values, handle)


@accelerator.on_local_main_process
def announce(name):
    print("working on", name)


def main():
    announce("reeds")
    share = torch.full((1,), float(accelerator.process_index), device=accelerator.device)
    everything = accelerator.gather(share)
    write_report(everything.tolist())
    accelerator.wait_for_everyone()


if __name__ == "__main__":
    main()
