# silent: the arguments are computed on all ranks before the helper looks at the rank
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def print_rank_0(*values):
    if not dist.is_initialized() or dist.get_rank() == 0:
        print(*values, flush=True)


def mean(value):
    total = value.detach().clone()
    dist.all_reduce(total)
    return total.item() / dist.get_world_size()


def main():
    dist.init_process_group("gloo")
    model = DDP(nn.Linear(7, 1))
    optimizer = torch.optim.Adam(model.parameters())
    generator = torch.Generator().manual_seed(dist.get_rank())
    for step in range(30):
        loss = model(torch.rand(8, 7, generator=generator)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print_rank_0(step, mean(loss))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
