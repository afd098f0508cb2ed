"""The caller thinks it has to pass a rank itself: one value too many."""

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


class Pipeline:
    def __init__(self, world_size):
        self.world_size = world_size

    def run(self, rank, world_size):
        dist.init_process_group("gloo", init_method="tcp://127.0.0.1:29655", rank=rank, world_size=world_size)
        load = torch.tensor([float(rank)])
        dist.all_reduce(load)
        print(rank, load.item())
        dist.destroy_process_group()

    def start(self):
        mp.spawn(self.run, args=(0, self.world_size), nprocs=self.world_size)  # expect: mp-spawn-contract


if __name__ == "__main__":
    Pipeline(2).start()
