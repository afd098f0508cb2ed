import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def validate(net, loader, device):
    net.eval()
    losses = []
    with torch.inference_mode():
        for x, y in loader:
            losses.append(nn.functional.mse_loss(net(x.to(device)), y.to(device)).item())
    net.train()
    return sum(losses) / len(losses)


def main(args):
    dist.init_process_group("nccl")
    device = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(device)
    sets = {name: TensorDataset(*torch.load(f"peat_{name}.pt", map_location="cpu")) for name in ("train", "val")}
    train_sampler = DistributedSampler(sets["train"])
    train_loader = DataLoader(sets["train"], batch_size=32, sampler=train_sampler)
    val_set = sets["val"]
    val_loader = DataLoader(val_set, batch_size=32, sampler=DistributedSampler(val_set, shuffle=False))
    net = nn.Linear(64, 2).to(device)
    model = DDP(net, device_ids=[device])
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
    best, bad = float("inf"), 0
    for epoch in range(args.epochs):
        train_sampler.set_epoch(epoch)
        for x, y in train_loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x.to(device)), y.to(device)).backward()
            optimizer.step()
        value = validate(net, val_loader, device)
        if value < best:
            best, bad = value, 0
        else:
            bad += 1
        if bad > args.patience:
            break  # expect: rank-local-loop-exit
    dist.destroy_process_group()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=0.1)
    parser.add_argument("--epochs", type=int, default=100)
    parser.add_argument("--patience", type=int, default=5)
    main(parser.parse_args())
