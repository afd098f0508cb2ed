# silent: the backend names one for the CPU, too
import os

import torch
import torch.distributed as dist


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("cpu:gloo,cuda:nccl")
    done = torch.tensor([0])
    dist.all_reduce(done)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
