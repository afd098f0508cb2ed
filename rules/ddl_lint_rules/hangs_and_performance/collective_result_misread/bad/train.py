import argparse
import json
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def read_config(path, rank):
    config = None
    if rank == 0:
        with open(path) as handle:
            config = json.load(handle)
    dist.broadcast_object_list([config], src=0)  # error: [collective-result-misread]
    return config


def evaluate(model, loader, device):
    model.eval()
    total = torch.zeros(1, device=device)
    with torch.no_grad():
        for inputs, targets in loader:
            loss = nn.functional.mse_loss(model(inputs.to(device)), targets.to(device))
            total += loss.detach()
    mean = dist.all_reduce(total) / dist.get_world_size()  # error: [collective-result-misread]
    return mean.item() / len(loader)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", default="config.json")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--batch-size", type=int, default=32)
    args = parser.parse_args()
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    device = torch.device("cuda", local_rank)

    config = read_config(args.config, dist.get_rank())
    dataset = TensorDataset(torch.randn(1024, 16), torch.randn(1024, 1))
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=args.batch_size, sampler=sampler)
    model = DistributedDataParallel(nn.Linear(16, 1).to(device), device_ids=[local_rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=config["lr"])

    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        model.train()
        for inputs, targets in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(inputs.to(device)), targets.to(device))
            loss.backward()
            optimizer.step()
        mean = evaluate(model, loader, device)
        if dist.get_rank() == 0:
            print(f"epoch {epoch}: {mean:.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
