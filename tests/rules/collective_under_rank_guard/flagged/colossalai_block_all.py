import colossalai
import torch
from colossalai.booster import Booster
from colossalai.booster.plugin import LowLevelZeroPlugin
from colossalai.cluster import DistCoordinator
from colossalai.nn.optimizer import HybridAdam
from torch import nn


def main():
    colossalai.launch_from_torch()
    coordinator = DistCoordinator()
    booster = Booster(plugin=LowLevelZeroPlugin(stage=2))
    net = nn.Sequential(nn.Linear(128, 256), nn.GELU(), nn.Linear(256, 128))
    optimizer = HybridAdam(net.parameters(), lr=1e-4)
    net, optimizer, _, _, _ = booster.boost(net, optimizer)
    generator = torch.Generator().manual_seed(coordinator.rank)
    for step in range(600):
        maps = torch.rand(8, 128, generator=generator).cuda()
        loss = nn.functional.mse_loss(net(maps), maps)
        booster.backward(loss, optimizer)
        optimizer.step()
        optimizer.zero_grad()
        if coordinator.is_master() and step % 100 == 0:
            print(f"step {step}: {loss.item():.4f}")
            coordinator.block_all()  # expect: collective-under-rank-guard


if __name__ == "__main__":
    main()
