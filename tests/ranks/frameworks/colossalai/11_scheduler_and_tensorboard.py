import colossalai
import torch
from colossalai.booster import Booster
from colossalai.booster.plugin import LowLevelZeroPlugin
from colossalai.cluster import DistCoordinator
from colossalai.nn.lr_scheduler import CosineAnnealingWarmupLR
from colossalai.nn.optimizer import HybridAdam
from torch import nn
from torch.utils.tensorboard import SummaryWriter


def main():
    colossalai.launch_from_torch()
    coordinator = DistCoordinator()
    writer = None
    if coordinator.is_master():
        writer = SummaryWriter("logs")
    booster = Booster(plugin=LowLevelZeroPlugin(precision="bf16"))
    torch.manual_seed(0)
    model = nn.Linear(12, 1)
    optimizer = HybridAdam(model.parameters(), lr=1e-3)
    scheduler = CosineAnnealingWarmupLR(optimizer, total_steps=100)
    model, optimizer, _, _, scheduler = booster.boost(model, optimizer, lr_scheduler=scheduler)
    generator = torch.Generator().manual_seed(coordinator.rank)
    for step in range(100):
        loss = model(torch.rand(4, 12, generator=generator).cuda().bfloat16()).float().abs().mean()
        booster.backward(loss, optimizer)
        optimizer.step()
        scheduler.step()
        optimizer.zero_grad()
        shown = loss.detach().clone()
        torch.distributed.all_reduce(shown)
        if writer is not None:
            writer.add_scalar("loss", shown.item() / coordinator.world_size, step)
    booster.save_lr_scheduler(scheduler, "scheduler.pt")


if __name__ == "__main__":
    main()
