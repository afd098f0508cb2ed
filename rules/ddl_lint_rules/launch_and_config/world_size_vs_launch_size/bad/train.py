import os

import torch
import torch.distributed as dist


def main():
    dist.init_process_group("nccl", init_method="env://", world_size=4, rank=int(os.environ["RANK"]))  # error: [world-size-vs-launch-size]
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
