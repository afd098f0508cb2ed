import argparse
import os
from pathlib import Path

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--run-dir", default="runs/heath")
    args = parser.parse_args()
    dist.init_process_group("nccl")
    device = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(device)
    data = TensorDataset(*torch.load("heath.pt", map_location="cpu"))
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=128, sampler=sampler)
    model = DDP(nn.Linear(14, 3).to(device), device_ids=[device])
    optimizer = torch.optim.RMSprop(model.parameters(), lr=1e-3)
    stop_file = Path(args.run_dir) / "STOP"
    for epoch in range(500):
        sampler.set_epoch(epoch)
        for soil, plant in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(soil.to(device)), plant.to(device))
            loss.backward()
            optimizer.step()
        if stop_file.exists():
            print("stop file found")
            break  # expect: rank-local-loop-exit
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
