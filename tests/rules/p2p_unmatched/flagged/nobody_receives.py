import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    plan = torch.zeros(4)
    if rank == 0:
        plan += torch.tensor([0.1, 0.2, 0.3, 0.4])
        dist.send(plan, dst=1)  # expect: p2p-unmatched
    else:
        print("rank", rank, "waits for the plan")
    torch.manual_seed(rank)
    model = DDP(nn.Linear(4, 4))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(50):
        x = torch.randn(8, 4)
        loss = (model(x) - x * plan).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
