import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    upper = dist.new_group([2, 3])
    torch.manual_seed(rank)
    model = DDP(nn.Linear(4, 4))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(60):
        x = torch.randn(8, 4)
        loss = (model(x) - x.cos()).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    scale = torch.full((1,), float(rank))
    if rank in (2, 3):
        dist.broadcast(scale, src=0, group=upper)  # expect: collective-root-rank
    print(rank, scale.item())
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
