# silent: the sub-group of the call holds just the ranks that pass the guard
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    readers = dist.new_group([0, 1])
    model = DDP(nn.Linear(6, 6))
    optimizer = torch.optim.Adam(model.parameters())
    generator = torch.Generator().manual_seed(rank)
    for _ in range(70):
        stalks = torch.rand(9, 6, generator=generator)
        loss = (model(stalks) - stalks).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    moved = loss.detach().clone()
    if rank in (0, 1):
        dist.all_reduce(moved, group=readers)
        print(rank, moved.item() / 2)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
