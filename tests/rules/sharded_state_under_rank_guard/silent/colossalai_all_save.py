# silent: all processes save the parts that they hold
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
    net = nn.Linear(128, 128)
    optimizer = HybridAdam(net.parameters(), lr=1e-3)
    net, optimizer, _, _, _ = booster.boost(net, optimizer)
    generator = torch.Generator().manual_seed(coordinator.rank)
    for step in range(100):
        loss = net(torch.rand(8, 128, generator=generator).cuda()).square().mean()
        booster.backward(loss, optimizer)
        optimizer.step()
        optimizer.zero_grad()
    booster.save_model(net, "amber/model", shard=True)
    booster.save_optimizer(optimizer, "amber/optimizer", shard=True)
    if coordinator.is_master():
        print("saved")


if __name__ == "__main__":
    main()
