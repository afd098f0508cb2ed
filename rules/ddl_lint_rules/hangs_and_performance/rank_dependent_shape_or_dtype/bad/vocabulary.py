import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

CLASSES = 6


def class_order(rank):
    if rank == 0:
        order = torch.tensor([0.0, 1.0, 2.0, 3.0, 4.0, 5.0])
    else:
        order = torch.zeros(CLASSES, dtype=torch.int64)
    dist.broadcast(order, src=0)  # error: [rank-dependent-shape-or-dtype]
    return order


def evaluate(model, loader, device):
    model.eval()
    collected = []
    with torch.no_grad():
        for inputs, labels in loader:
            scores = model(inputs.to(device))
            mask = labels.to(device) != -100
            valid = scores[mask]
            everybody = [torch.zeros_like(valid) for _ in range(dist.get_world_size())]
            dist.all_gather(everybody, valid)  # error: [rank-dependent-shape-or-dtype]
            collected.extend(everybody)
    return torch.cat(collected)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch-size", type=int, default=32)
    args = parser.parse_args()
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
    device = torch.device("cuda", local_rank)

    order = class_order(dist.get_rank()).to(device)
    dataset = TensorDataset(torch.randn(512, 16), torch.randint(0, CLASSES, (512,)))
    loader = DataLoader(dataset, batch_size=args.batch_size, sampler=DistributedSampler(dataset, shuffle=False))
    model = DistributedDataParallel(nn.Linear(16, CLASSES).to(device), device_ids=[local_rank])
    scores = evaluate(model, loader, device)
    if dist.get_rank() == 0:
        print(scores[:, order].mean(dim=0))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
