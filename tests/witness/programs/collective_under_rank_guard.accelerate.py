# witness: hangs, on accelerate
import torch
from accelerate import Accelerator


def main():
    accelerator = Accelerator(cpu=True)
    scores = torch.ones(2) * (1 + accelerator.process_index)
    total = 0.0
    if accelerator.is_main_process:
        total = accelerator.gather(scores).sum().item()
        print("total", total)
    accelerator.wait_for_everyone()
    print("result: done")
    accelerator.end_training()


if __name__ == "__main__":
    main()
