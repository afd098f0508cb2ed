import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset, DistributedSampler


class Boxes(Dataset):
    def __init__(self, path):
        self.rows = torch.load(path, map_location="cpu")

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return self.rows[index]


def collate(rows):
    boxes = [row["boxes"] for row in rows if row["boxes"].numel()]
    targets = [row["target"] for row in rows if row["boxes"].numel()]
    return torch.cat(boxes) if boxes else torch.empty(0, 4), torch.tensor(targets)


def main():
    dist.init_process_group("nccl")
    device = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(device)
    data = Boxes("boxes.pt")
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=8, sampler=sampler, collate_fn=collate)
    model = DDP(nn.Linear(4, 1).to(device), device_ids=[device])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for epoch in range(20):
        sampler.set_epoch(epoch)
        for boxes, target in loader:
            if len(boxes) == 0:
                continue  # expect: rank-local-skip-before-backward
            loss = (model(boxes.to(device)).squeeze(1) - target.to(device)).abs().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
