import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def bad_call(value):
    return value


def main():
    dist.init_process_group("gloo")
    model = DistributedDataParallel(torch.nn.Linear(8, 1))
    print(bad_call(model))


if __name__ == "__main__":
    main()
