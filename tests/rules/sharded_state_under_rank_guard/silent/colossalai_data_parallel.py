# silent: with TorchDDPPlugin the model is whole on every process
import colossalai
import torch
from colossalai.booster import Booster
from colossalai.booster.plugin import TorchDDPPlugin
from colossalai.cluster import DistCoordinator
from torch import nn


def main():
    colossalai.launch_from_torch()
    coordinator = DistCoordinator()
    booster = Booster(plugin=TorchDDPPlugin())
    net = nn.Linear(64, 64)
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, 50)
    net, optimizer, _, _, schedule = booster.boost(net, optimizer, lr_scheduler=schedule)
    generator = torch.Generator().manual_seed(coordinator.rank)
    for step in range(100):
        loss = net(torch.rand(8, 64, generator=generator).cuda()).square().mean()
        booster.backward(loss, optimizer)
        optimizer.step()
        optimizer.zero_grad()
        schedule.step()
    if coordinator.is_master():
        booster.save_model(net, "gems.pt")
        booster.save_optimizer(optimizer, "gems-optimizer.pt")
        booster.save_lr_scheduler(schedule, "gems-schedule.pt")


if __name__ == "__main__":
    main()
