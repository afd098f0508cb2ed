# silent: the tensor stays on the CPU only where there is no GPU
import os

import torch
import torch.distributed as dist


def setup():
    if torch.cuda.is_available():
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
        dist.init_process_group("nccl")
        return torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("gloo")
    return torch.device("cpu")


def main():
    device = setup()
    count = torch.tensor([1.0], device=device)
    dist.all_reduce(count)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
