import launch
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    rank, world_size = launch.start()
    torch.manual_seed(rank)
    model = DDP(nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 1)))
    optimizer = torch.optim.RMSprop(model.parameters(), lr=1e-3)
    ripe = torch.zeros(1)
    for _ in range(150):
        x = torch.rand(24, 8)
        loss = nn.functional.binary_cross_entropy_with_logits(model(x).squeeze(1), (x[:, 0] > 0.5).float())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        ripe += (x[:, 0] > 0.5).sum()
    launch.leave_unless_first()
    dist.all_reduce(ripe)
    print("ripe apples on", world_size, "ranks:", int(ripe))
    launch.finish()


if __name__ == "__main__":
    main()
