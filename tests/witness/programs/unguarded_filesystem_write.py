# witness: crashes with "File exists: 'checkpoints'"
import os

import torch
import torch.distributed as dist


def main():
    dist.init_process_group("gloo")
    os.makedirs("checkpoints")
    total = torch.ones(())
    dist.all_reduce(total)
    print("result:", total.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
