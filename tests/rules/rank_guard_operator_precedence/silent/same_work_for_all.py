# silent: the arm counts and prints; all ranks may do it, and nothing is written
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(rank)
    model = DDP(nn.Linear(3, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    low = 0
    for step in range(200):
        x = torch.randn(16, 3)
        loss = nn.functional.cross_entropy(model(x), (x[:, 0] > x[:, 1]).long())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if rank == 0 and step % 20 == 0 or loss.item() < 0.05:
            low += 1
            print(f"[{rank}] step {step}, loss {loss.item():.4f}, {low} so far")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
