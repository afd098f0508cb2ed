# silent: nothing that the others would wait in follows the exit
import json

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def save(model, optimizer, path):
    if dist.get_rank() != 0:
        return
    torch.save({"model": model.module.state_dict(), "optimizer": optimizer.state_dict()}, path)


def log(epoch, loss, rank):
    if rank > 0:
        return
    with open("fog.jsonl", "a") as file:
        file.write(json.dumps({"epoch": epoch, "loss": loss}) + "\n")


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(rank)
    model = DDP(nn.Sequential(nn.Linear(20, 10), nn.ReLU(), nn.Linear(10, 1)))
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(5):
        for _ in range(80):
            x = torch.randn(16, 20)
            loss = nn.functional.softplus(-model(x).squeeze(1) * x[:, 3].sign()).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        save(model, optimizer, "fog.pt")
        log(epoch, loss.item(), rank)
    dist.destroy_process_group()
    if rank != 0:
        return
    print("finished; weights in fog.pt")


if __name__ == "__main__":
    main()
