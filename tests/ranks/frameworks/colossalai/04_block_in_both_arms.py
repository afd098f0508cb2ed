import os

import colossalai
import torch
from colossalai.cluster import DistCoordinator


def load(path, coordinator):
    if not coordinator.is_master():
        coordinator.block_all()
    elif not os.path.exists(path):
        torch.save(torch.zeros(16), path)
    if coordinator.is_master():
        coordinator.block_all()
    return torch.load(path, map_location="cpu")


def main():
    colossalai.launch_from_torch()
    coordinator = DistCoordinator()
    print(coordinator.rank, load("quarry.pt", coordinator).sum().item())


if __name__ == "__main__":
    main()
