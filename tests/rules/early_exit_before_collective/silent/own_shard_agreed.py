# silent: all ranks are told whether one of them misses its file
from pathlib import Path

import torch
import torch.distributed as dist


def survey(folder):
    shard = Path(folder) / f"sightings_{dist.get_rank()}.pt"
    here = [False] * dist.get_world_size()
    dist.all_gather_object(here, shard.exists())
    if not all(here):
        return None
    counts = torch.load(shard, map_location="cpu").sum(dim=0)
    dist.all_reduce(counts)
    return counts


def main():
    dist.init_process_group("gloo")
    counts = survey("birds")
    if dist.get_rank() == 0:
        print(counts)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
