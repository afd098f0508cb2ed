import torch
import torch.distributed as dist
from metrics import Mean
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(dist.get_rank())
    model = DDP(nn.Linear(9, 9))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(10):
        mean = Mean()
        for _ in range(25):
            x = torch.randn(16, 9)
            errors = (model(x) - x.relu()).pow(2).mean(1)
            optimizer.zero_grad()
            errors.mean().backward()
            optimizer.step()
            mean.update(errors.detach())
        print(f"rank {dist.get_rank()} epoch {epoch}: mean of all ranks {mean.compute():.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
