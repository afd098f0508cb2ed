from pathlib import Path

import torch
import torch.distributed as dist


class Quiet:
    def note(self, text):
        pass


def survey(folder):
    log = Quiet()
    log.note("begin")
    log.note("look for the shard")
    log.note("read it")
    shard = Path(folder) / f"sightings_{dist.get_rank()}.pt"
    if not shard.exists():
        return None  # expect: early-exit-before-collective
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
