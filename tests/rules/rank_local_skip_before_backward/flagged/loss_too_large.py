import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--max-loss", type=float, default=50.0)
    args = parser.parse_args()
    dist.init_process_group("nccl")
    device = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(device)
    data = TensorDataset(*torch.load("voices.pt", map_location="cpu"))
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=6, sampler=sampler)
    model = DDP(nn.LSTM(80, 120, batch_first=True).to(device), device_ids=[device])
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(100):
        sampler.set_epoch(epoch)
        for frames, pitch in loader:
            output, _ = model(frames.to(device))
            loss = (output.mean(2) - pitch.to(device)).pow(2).mean()
            value = float(loss.item())
            if value > args.max_loss:
                continue  # expect: rank-local-skip-before-backward
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
