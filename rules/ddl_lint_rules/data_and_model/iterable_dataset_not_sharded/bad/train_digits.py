"""Start with: torchrun --nproc-per-node 4 train_digits.py --frames data/frames"""

import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

from speech_stream import make_loader


def classifier(coefficients: int = 39, digits: int = 10) -> nn.Module:
    return nn.Sequential(nn.Linear(coefficients, 128), nn.ReLU(), nn.Dropout(0.1), nn.Linear(128, digits))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--frames", required=True)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--batch-size", type=int, default=512)
    parser.add_argument("--steps", type=int, default=2_000, help="per epoch")
    args = parser.parse_args()

    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    torch.manual_seed(0)
    loader = make_loader(args.frames, args.batch_size)
    model = DDP(classifier().cuda(), device_ids=[local_rank])
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)

    for epoch in range(args.epochs):
        model.train()
        for step, (frames, labels) in enumerate(loader):
            if step == args.steps:
                break
            optimizer.zero_grad(set_to_none=True)
            loss = nn.functional.cross_entropy(model(frames.cuda()), labels.cuda())  # related: [iterable-dataset-not-sharded]
            loss.backward()
            optimizer.step()
        if dist.get_rank() == 0:
            print(f"epoch {epoch}: loss {loss.item():.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
