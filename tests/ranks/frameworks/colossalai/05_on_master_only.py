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

    @coordinator.on_master_only()
    def report(step, value):
        with open("losses.txt", "a") as handle:
            handle.write(f"{step} {value}\n")

    booster = Booster(plugin=LowLevelZeroPlugin(stage=2))
    torch.manual_seed(0)
    model = nn.Linear(10, 1)
    model, optimizer, *_ = booster.boost(model, HybridAdam(model.parameters(), lr=1e-3))
    generator = torch.Generator().manual_seed(coordinator.rank)
    for step in range(40):
        optimizer.zero_grad()
        loss = model(torch.rand(4, 10, generator=generator).cuda().half()).float().square().mean()
        booster.backward(loss, optimizer)
        optimizer.step()
        mean = loss.detach().clone()
        torch.distributed.all_reduce(mean)
        report(step, mean.item() / coordinator.world_size)


if __name__ == "__main__":
    main()
