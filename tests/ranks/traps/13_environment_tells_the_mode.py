import os

import torch
import torch.distributed as dist


def setup():
    if os.environ.get("RANK") and os.environ.get("WORLD_SIZE"):
        dist.init_process_group("gloo")
        dist.barrier()
        return True
    return False


def mean(values):
    total = values.sum().reshape(1)
    if "RANK" in os.environ and int(os.environ["WORLD_SIZE"]) > 1:
        dist.all_reduce(total)
    return total.item()


def main():
    distributed = setup()
    seed = int(os.environ.get("RANK", "0"))
    generator = torch.Generator().manual_seed(seed)
    print(mean(torch.rand(30, generator=generator)))
    if os.getenv("LOCAL_RANK") is not None and distributed:
        dist.barrier()
    if distributed:
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
