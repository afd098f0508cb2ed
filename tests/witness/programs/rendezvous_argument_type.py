# witness: wrong
import os

import torch
import torch.distributed as dist


def main():
    rank = os.environ["RANK"]
    dist.init_process_group("gloo")
    value = torch.zeros(1)
    if rank == 0:
        value += 5
    dist.broadcast(value, src=0)
    print("result:", value.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
