"""Map moraines in elevation tiles with a network that is sharded over the GPUs.

torchrun --nproc-per-node 4 train_moraine.py --out runs/moraine
"""

import argparse
import os

import torch
import torch.distributed as dist
from checkpoints import save
from torch import nn
from torch.distributed.fsdp import fully_shard
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


class Moraine(nn.Module):
    def __init__(self, width=512, depth=8):
        super().__init__()
        self.embed = nn.Linear(256, width)
        self.blocks = nn.ModuleList(
            nn.TransformerEncoderLayer(width, 8, 4 * width, batch_first=True) for _ in range(depth)
        )
        self.head = nn.Linear(width, 2)

    def forward(self, tiles):
        hidden = self.embed(tiles)
        for block in self.blocks:
            hidden = block(hidden)
        return self.head(hidden)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", default="runs/moraine")
    parser.add_argument("--epochs", type=int, default=5)
    args = parser.parse_args()

    dist.init_process_group("nccl")
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    torch.manual_seed(0)

    model = Moraine().cuda()
    for block in model.blocks:
        fully_shard(block)
    fully_shard(model)  # related: [sharded-checkpoint-api]
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)

    data = TensorDataset(torch.rand(128, 64, 256), torch.randint(0, 2, (128, 64)))
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=8, sampler=sampler)
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        for tiles, moraine in loader:
            optimizer.zero_grad()
            logits = model(tiles.cuda())
            loss = nn.functional.cross_entropy(logits.transpose(1, 2), moraine.cuda())
            loss.backward()
            optimizer.step()
        save(model, args.out, epoch)

    dist.destroy_process_group()


if __name__ == "__main__":
    main()
