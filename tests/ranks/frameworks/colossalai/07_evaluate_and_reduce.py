import colossalai
import torch
import torch.distributed as dist
from colossalai.accelerator import get_accelerator
from colossalai.booster import Booster
from colossalai.booster.plugin import TorchDDPPlugin
from colossalai.cluster import DistCoordinator
from torch import nn


@torch.no_grad()
def evaluate(model, batches, coordinator):
    model.eval()
    right = torch.zeros(2, device=get_accelerator().get_current_device())
    for batch in batches:
        right[0] += (model(batch) > 0).sum()
        right[1] += len(batch)
    dist.all_reduce(right)
    accuracy = (right[0] / right[1]).item()
    if coordinator.is_master():
        print("accuracy", accuracy)
    model.train()
    return accuracy


def main():
    colossalai.launch_from_torch()
    coordinator = DistCoordinator()
    booster = Booster(plugin=TorchDDPPlugin())
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(6, 6), nn.BatchNorm1d(6), nn.Linear(6, 1))
    model, optimizer, *_ = booster.boost(model, torch.optim.Adam(model.parameters()))
    generator = torch.Generator().manual_seed(coordinator.rank)
    held_out = [torch.rand(4, 6, generator=generator).cuda() for _ in range(3)]
    for _ in range(10):
        optimizer.zero_grad()
        booster.backward(model(torch.rand(8, 6, generator=generator).cuda()).abs().mean(), optimizer)
        optimizer.step()
        if evaluate(model, held_out, coordinator) > 0.99:
            break


if __name__ == "__main__":
    main()
