# silent: both arms make the same groups in the same order
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def my_half(rank):
    if rank < 2:
        mine = dist.new_group([0, 1])
        dist.new_group([2, 3])
    else:
        dist.new_group([0, 1])
        mine = dist.new_group([2, 3])
    return mine


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    half = my_half(rank)
    torch.manual_seed(rank)
    model = DDP(nn.Linear(5, 2), process_group=half)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(80):
        x = torch.randn(20, 5)
        loss = nn.functional.cross_entropy(model(x), (x[:, 0] > 0).long())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dist.barrier()
    if rank in (0, 2):
        torch.save(model.module.state_dict(), f"half{rank}.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
