import os

import torch
import torch.distributed as dist


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    if rank == 0:
        dist.send(torch.arange(10), dst=1)  # expect: cpu-tensor-in-nccl-collective
    elif rank == 1:
        numbers = torch.empty(10, dtype=torch.long, device=local_rank)
        dist.recv(numbers, src=0)
        print(numbers)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
