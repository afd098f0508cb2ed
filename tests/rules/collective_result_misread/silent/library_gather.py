# silent: a library gathers and returns the result
import torch
from accelerate import Accelerator
from accelerate.utils import broadcast_object_list


def main():
    accelerator = Accelerator()
    loss = torch.rand(2)
    mean = accelerator.gather(loss).mean()
    total = accelerator.reduce(loss, reduction="sum") / accelerator.num_processes
    names = broadcast_object_list(["a"])
    print(mean.item(), total.sum().item(), names[0])


if __name__ == "__main__":
    main()
