import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset, DistributedSampler
from torch.utils.data.dataloader import default_collate


class Photos(Dataset):
    def __init__(self, root):
        self.paths = [os.path.join(root, name) for name in sorted(os.listdir(root))]

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index):
        try:
            return torch.load(self.paths[index], map_location="cpu")
        except OSError:
            return None


def skip_broken(rows):
    rows = [row for row in rows if row is not None]
    return default_collate(rows) if rows else None


def main(args):
    dist.init_process_group("nccl")
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    photos = Photos(args.root)
    sampler = DistributedSampler(photos)
    loader = DataLoader(photos, args.batch_size, sampler=sampler, collate_fn=skip_broken)
    net = nn.Sequential(nn.Conv2d(3, 16, 3), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 1)).cuda(local_rank)
    net = DDP(net, device_ids=[local_rank])
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        for batch in loader:
            if batch is None:
                continue  # expect: rank-local-skip-before-backward
            loss = net(batch["image"].cuda(local_rank)).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("root")
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--epochs", type=int, default=4)
    main(parser.parse_args())
