import os
from dataclasses import dataclass

import torch
import torch.distributed as dist


@dataclass
class DataConfig:
    root: str = "maps"
    shared: bool = True


class Tiles:
    def __init__(self, config):
        self.config = config
        self.leads = (dist.get_rank() if config.shared else int(os.environ["LOCAL_RANK"])) == 0

    def prepare(self):
        if self.leads:
            print("cutting tiles below", self.config.root)
        dist.barrier()
        return torch.full((1,), 3.0)


def main():
    dist.init_process_group("gloo")
    tiles = Tiles(DataConfig(shared=bool(int(os.environ.get("SHARED_DISK", "1")))))
    count = tiles.prepare()
    dist.all_reduce(count)
    if tiles.leads:
        print(count.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
