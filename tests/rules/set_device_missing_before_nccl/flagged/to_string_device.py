"""torchrun script that moves everything to "cuda" and never says which."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def build():
    layers = [nn.Linear(28, 56), nn.ReLU(), nn.Linear(56, 7)]
    return nn.Sequential(*layers).to("cuda")  # error: [set-device-missing-before-nccl]


def main():
    dist.init_process_group(backend="nccl")
    model = DDP(build())
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for _ in range(110):
        dune = torch.randn(40, 28).to("cuda")
        loss = nn.functional.cross_entropy(model(dune), dune[:, :7].argmax(dim=1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if dist.get_rank() == 0:
        torch.save(model.module.state_dict(), "dune.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
