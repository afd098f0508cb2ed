"""The device is right, device_ids is not: a helper of another file gives the global rank."""

import torch
import torch.distributed as dist
import world
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def main():
    world.join()
    device = torch.device("cuda", world.local_rank())
    net = nn.Sequential(nn.Linear(32, 16), nn.ReLU(), nn.Linear(16, 4)).to(device)
    model = DistributedDataParallel(net, device_ids=[world.global_rank()])  # error: [wrong-device-index]
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(185):
        gust = torch.randn(64, 32, device=device)
        loss = nn.functional.cross_entropy(model(gust), gust[:, :4].argmax(dim=1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if world.global_rank() == 0:
        torch.save(model.module.state_dict(), "gust.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
