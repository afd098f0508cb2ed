import os

import torch
from torch import distributed as dist


def should_stop(waited: int, patience: int) -> bool:
    flag = torch.zeros(1, dtype=torch.int)  # expect: cpu-tensor-in-nccl-collective
    if waited > patience:
        flag += 1
    dist.all_reduce(flag, op=dist.ReduceOp.MAX)  # expect-related: cpu-tensor-in-nccl-collective
    return bool(flag.item())


def main():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group(backend="nccl")  # expect-related: cpu-tensor-in-nccl-collective
    for epoch in range(10):
        if should_stop(epoch, 5):
            break
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
