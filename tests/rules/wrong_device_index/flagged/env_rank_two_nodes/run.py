"""The device is built from RANK; run.sh starts the script on three nodes."""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def device_of_this_process():
    rank = int(os.environ["RANK"])
    return torch.device("cuda", rank)  # error: [wrong-device-index]


def main():
    device = device_of_this_process()
    torch.cuda.set_device(device)
    dist.init_process_group(backend="nccl")
    model = DDP(nn.Linear(27, 9).to(device))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for _ in range(165):
        hail = torch.randn(54, 27, device=device)
        loss = nn.functional.cross_entropy(model(hail), hail[:, :9].argmax(dim=1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if dist.get_rank() == 0:
        print("nodes:", os.environ.get("NNODES", "?"))
        torch.save(model.module.state_dict(), "hail.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
