import os

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP


class CausalSelfAttention(nn.Module):
    def __init__(self, dim, heads, context):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.out = nn.Linear(dim, dim)
        self.mask = torch.tril(torch.ones(context, context)).bool()  # expect: unregistered-tensor-attribute

    def forward(self, x):
        batch, length, dim = x.shape
        q, k, v = self.qkv(x).view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        weight = q @ k.transpose(-2, -1) * (dim // self.heads) ** -0.5
        weight = weight.masked_fill(~self.mask[:length, :length], float("-inf")).softmax(dim=-1)
        return self.out((weight @ v).transpose(1, 2).reshape(batch, length, dim))


class TinyLM(nn.Module):
    def __init__(self, vocab=256, dim=64, context=128):
        super().__init__()
        self.tok = nn.Embedding(vocab, dim)
        self.attend = CausalSelfAttention(dim, 4, context)
        self.lm = nn.Linear(dim, vocab)

    def forward(self, ids):
        return self.lm(self.attend(self.tok(ids)))


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    model = DDP(TinyLM().to(local_rank), device_ids=[local_rank])
    gen = torch.Generator().manual_seed(dist.get_rank())
    opt = torch.optim.AdamW(model.parameters(), lr=3e-4)
    for _ in range(1000):
        ids = torch.randint(0, 256, (8, 65), generator=gen).to(local_rank)
        opt.zero_grad()
        nn.functional.cross_entropy(model(ids[:, :-1]).flatten(0, 1), ids[:, 1:].flatten()).backward()
        opt.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
