import colossalai
import torch
from colossalai.booster import Booster
from colossalai.booster.plugin import HybridParallelPlugin
from colossalai.cluster import DistCoordinator
from colossalai.nn.optimizer import HybridAdam
from torch import nn


def main():
    colossalai.launch_from_torch()
    coordinator = DistCoordinator()
    booster = Booster(plugin=HybridParallelPlugin(tp_size=2, pp_size=1, zero_stage=1))
    net = nn.Sequential(nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 16))
    optimizer = HybridAdam(net.parameters(), lr=1e-3)
    net, optimizer, _, _, _ = booster.boost(net, optimizer)
    generator = torch.Generator().manual_seed(0)
    for step in range(400):
        coins = torch.rand(8, 512, generator=generator).cuda()
        loss = net(coins).square().mean()
        booster.backward(loss, optimizer)
        optimizer.step()
        optimizer.zero_grad()
    if coordinator.is_master():
        booster.save_model(net, "coins/model", shard=True)  # expect: sharded-state-under-rank-guard
        booster.save_optimizer(optimizer, "coins/optimizer", shard=True)


if __name__ == "__main__":
    main()
