# silent: all processes meet; the master only prints and saves the schedule
import colossalai
import torch
from colossalai.booster import Booster
from colossalai.booster.plugin import GeminiPlugin
from colossalai.cluster import DistCoordinator
from colossalai.nn.optimizer import HybridAdam
from torch import nn


def main():
    colossalai.launch_from_torch()
    coordinator = DistCoordinator()
    booster = Booster(plugin=GeminiPlugin())
    net = nn.Linear(64, 64)
    optimizer = HybridAdam(net.parameters(), lr=1e-3)
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, 100)
    net, optimizer, _, _, schedule = booster.boost(net, optimizer, lr_scheduler=schedule)
    with coordinator.priority_execution():
        print("ready")
    generator = torch.Generator().manual_seed(coordinator.rank)
    for step in range(300):
        loss = net(torch.rand(8, 64, generator=generator).cuda()).square().mean()
        booster.backward(loss, optimizer)
        optimizer.step()
        optimizer.zero_grad()
        schedule.step()
        if coordinator.is_master():
            print(step, loss.item())
    coordinator.block_all()
    if coordinator.is_master():
        booster.save_lr_scheduler(schedule, "schedule.pt")


if __name__ == "__main__":
    main()
