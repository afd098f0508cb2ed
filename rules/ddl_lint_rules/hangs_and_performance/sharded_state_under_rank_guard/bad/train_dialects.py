"""Train a sharded language model on dialect recordings. torchrun --nproc-per-node 8 train_dialects.py tokens.pt"""

import argparse
import os

import torch
import torch.distributed as dist
from checkpoints import save_full
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


class Dialects(nn.Module):
    def __init__(self, vocabulary: int = 4096, width: int = 512, layers: int = 6):
        super().__init__()
        self.embed = nn.Embedding(vocabulary, width)
        layer = nn.TransformerEncoderLayer(width, 8, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, layers)
        self.head = nn.Linear(width, vocabulary)

    def forward(self, tokens):
        mask = nn.Transformer.generate_square_subsequent_mask(tokens.shape[1], device=tokens.device)
        return self.head(self.encoder(self.embed(tokens), mask=mask, is_causal=True))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tokens")
    parser.add_argument("--epochs", type=int, default=3)
    args = parser.parse_args()

    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    torch.manual_seed(0)

    dataset = TensorDataset(torch.load(args.tokens, map_location="cpu"))
    sampler = DistributedSampler(dataset, shuffle=True)
    loader = DataLoader(dataset, batch_size=8, sampler=sampler, drop_last=True)

    model = FSDP(Dialects().cuda(), device_id=local_rank)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        for (tokens,) in loader:
            tokens = tokens.cuda(local_rank)
            output = model(tokens[:, :-1])
            loss = nn.functional.cross_entropy(output.flatten(0, 1), tokens[:, 1:].flatten())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if dist.get_rank() == 0:
            print(f"epoch {epoch}: {loss.item():.4f}")
        save_full(model, f"dialects-{epoch}.pt")

    dist.destroy_process_group()


if __name__ == "__main__":
    main()
