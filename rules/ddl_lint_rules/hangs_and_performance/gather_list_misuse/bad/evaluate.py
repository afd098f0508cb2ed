import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def predict(model, loader, device):
    model.eval()
    outputs = []
    with torch.no_grad():
        for (inputs,) in loader:
            outputs.append(model(inputs.to(device)).cpu())
    return torch.cat(outputs)


def gather_counts(count, device):
    local = torch.tensor([count], device=device)
    counts = [torch.zeros(1, dtype=torch.long, device=device)] * dist.get_world_size()  # error: [gather-list-misuse]
    dist.all_gather(counts, local)
    return [int(each.item()) for each in counts]


def collect(predictions):
    rank = dist.get_rank()
    parts = [torch.empty_like(predictions) for _ in range(dist.get_world_size())]
    dist.gather(predictions, parts, dst=0)  # error: [gather-list-misuse]
    return torch.cat(parts) if rank == 0 else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--out", default="predictions.pt")
    args = parser.parse_args()
    local_rank = int(os.environ["LOCAL_RANK"])
    device = torch.device("cpu")
    dist.init_process_group("gloo")

    dataset = TensorDataset(torch.randn(1000, 16))
    sampler = DistributedSampler(dataset, shuffle=False)
    loader = DataLoader(dataset, batch_size=args.batch_size, sampler=sampler)
    model = DistributedDataParallel(nn.Linear(16, 4).to(device))
    predictions = predict(model, loader, device)
    counts = gather_counts(len(predictions), device)
    everything = collect(predictions)
    if everything is not None:
        print(f"local rank {local_rank}: {counts}")
        torch.save(everything, args.out)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
