import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

from common.dist import LOCAL_RANK, RANK, WORLD_SIZE, de_parallel, select_device, torch_distributed_zero_first
from common.loaders import create_dataloader


def validate(model, loader, device):
    model.eval()
    hits = 0.0
    with torch.no_grad():
        for crops in loader:
            hits += (model(crops.to(device)) > 0).float().mean().item()
    return hits / max(len(loader), 1)


def train(epochs=30, batch_size=64):
    device = select_device(batch_size)
    with torch_distributed_zero_first(LOCAL_RANK):
        torch.manual_seed(1 + RANK)
        model = nn.Sequential(nn.Flatten(), nn.LazyLinear(1)).to(device)
    train_loader, dataset = create_dataloader("crops/train", batch_size // WORLD_SIZE, True, LOCAL_RANK, True)
    model(next(iter(train_loader)).to(device))
    if RANK in {-1, 0}:
        val_loader = create_dataloader("crops/val", batch_size // WORLD_SIZE * 2, rank=-1)[0]
    if RANK != -1:
        model = DDP(model, device_ids=[LOCAL_RANK], output_device=LOCAL_RANK)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    for epoch in range(epochs):
        model.train()
        if RANK != -1:
            train_loader.sampler.set_epoch(epoch)
        for crops in train_loader:
            optimizer.zero_grad()
            nn.functional.softplus(-model(crops.to(device))).mean().backward()
            optimizer.step()
        if RANK in {-1, 0}:
            fitness = validate(de_parallel(model), val_loader, device)
            print(epoch, fitness)
            torch.save({"epoch": epoch, "model": de_parallel(model).state_dict()}, "last.pt")


if __name__ == "__main__":
    train()
    if WORLD_SIZE > 1 and RANK == 0:
        dist.destroy_process_group()
