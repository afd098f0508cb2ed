import torch
import torch.distributed as dist
from tqdm import trange


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    pbar = None
    if rank == 0:
        steps = trange(100, desc="relaxing")
        pbar = steps
    else:
        steps = range(100)
    field = torch.full((16,), float(rank))
    for step in steps:
        dist.all_reduce(field)
        field /= dist.get_world_size()
        if pbar is not None:
            pbar.set_description(f"step {step}")
    if pbar is not None:
        pbar.close()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
