# silent: new tensors are made on the GPU by default
import os

import torch
import torch.distributed as dist


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    torch.set_default_device(f"cuda:{local_rank}")
    dist.init_process_group("nccl")
    done = torch.tensor([0])
    dist.all_reduce(done)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
