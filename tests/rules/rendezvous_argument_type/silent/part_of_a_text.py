# silent: the text becomes part of another text
import os

import torch
import torch.distributed as dist


def main():
    device = torch.device(f"cuda:{os.environ['LOCAL_RANK']}")
    torch.cuda.set_device(device)
    dist.init_process_group("nccl")
    other = "cuda:" + os.environ["LOCAL_RANK"]
    print("-" * 8, os.environ["RANK"] + " of " + os.environ["WORLD_SIZE"], torch.ones(1, device=other))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
