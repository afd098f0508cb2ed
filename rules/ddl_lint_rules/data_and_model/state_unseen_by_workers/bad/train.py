import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, IterableDataset


class Songs(IterableDataset):
    def __init__(self, songs):
        self.songs = songs
        self.epoch = 0

    def set_epoch(self, epoch):
        self.epoch = epoch

    def __iter__(self):
        order = torch.randperm(len(self.songs), generator=torch.Generator().manual_seed(self.epoch))
        for index in order[dist.get_rank() :: dist.get_world_size()]:
            yield self.songs[index]


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    songs = Songs(torch.randn(4096, 16))
    loader = DataLoader(songs, batch_size=32, num_workers=4, persistent_workers=True)  # related: [state-unseen-by-workers]
    model = DDP(nn.Linear(16, 1).cuda(), device_ids=[local_rank])
    optimizer = torch.optim.AdamW(model.parameters())
    for epoch in range(20):
        songs.set_epoch(epoch)  # error: [state-unseen-by-workers]
        for batch in loader:
            optimizer.zero_grad()
            model(batch.cuda()).mean().backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
