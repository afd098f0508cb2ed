# silent: each alternative names a rank
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def is_main():
    return dist.get_rank() == 0


def main():
    dist.init_process_group("gloo")
    rank, steps = dist.get_rank(), 500
    torch.manual_seed(rank)
    model = DDP(nn.Linear(11, 11))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(steps):
        x = torch.randn(16, 11)
        loss = (model(x) - x.cumsum(1)).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if rank == 0 and step % 100 == 0 or is_main() and step == steps - 1:
            torch.save(model.module.state_dict(), "weasel.pt")
        if rank == 0 and step % 50 == 0 or rank == 1 and step % 50 == 25:
            print(f"rank {rank} step {step}: {loss.item():.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
