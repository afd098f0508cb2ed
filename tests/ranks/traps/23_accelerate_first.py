import torch
from accelerate import Accelerator
from accelerate.utils import set_seed


def main():
    accelerator = Accelerator()
    set_seed(3)
    with accelerator.main_process_first():
        table = torch.rand(64, 4)
    with accelerator.local_main_process_first():
        accelerator.print("each node unpacks")
    if not accelerator.is_main_process:
        accelerator.wait_for_everyone()
    else:
        print("the main process does its part first")
        accelerator.wait_for_everyone()
    print(accelerator.gather(table.sum().to(accelerator.device)).mean().item())


if __name__ == "__main__":
    main()
