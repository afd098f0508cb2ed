"""torchrun --nproc_per_node=8 train.py"""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import fully_shard
from torch.utils.data import DataLoader, Dataset, DistributedSampler

from model import Reader


class Pages(Dataset):
    def __len__(self):
        return 4096

    def __getitem__(self, index):
        drawing = torch.randn(96) if index % 5 else None
        return torch.randn(128), drawing, index % 20


def batch(pages):
    drawings = [drawing for _, drawing, _ in pages if drawing is not None]
    texts = torch.stack([text for text, _, _ in pages])
    whole = torch.stack(drawings) if len(drawings) == len(pages) else None
    return texts, whole, torch.tensor([answer for _, _, answer in pages])


def main():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl")
    model = Reader().cuda()
    fully_shard(model.eyes)  # related: [sharded-call-by-data]
    fully_shard(model.body)
    fully_shard(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    pages = Pages()
    sampler = DistributedSampler(pages)
    for epoch in range(3):
        sampler.set_epoch(epoch)
        for text, drawing, answer in DataLoader(pages, batch_size=4, sampler=sampler, collate_fn=batch):
            if drawing is not None:
                drawing = drawing.cuda()
            nn.functional.cross_entropy(model(text.cuda(), drawing), answer.cuda()).backward()
            optimizer.step()
            optimizer.zero_grad()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
