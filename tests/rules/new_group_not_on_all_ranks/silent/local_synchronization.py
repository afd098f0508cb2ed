# silent: the members synchronize among themselves, so only they need to call
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def pair_of(rank):
    first = rank // 2 * 2
    return dist.new_group([first, first + 1], use_local_synchronization=True)


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    pair = pair_of(rank)
    judges = None
    if rank in (0, 1):
        judges = dist.new_group([0, 1], use_local_synchronization=True)
    torch.manual_seed(rank)
    model = DDP(nn.Linear(10, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(50):
        x = torch.randn(16, 10)
        loss = model(x).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    score = loss.detach()
    dist.all_reduce(score, group=pair)
    if judges is not None:
        dist.all_reduce(score, group=judges)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
