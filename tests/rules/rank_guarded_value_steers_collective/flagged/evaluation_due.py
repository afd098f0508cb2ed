import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def is_main_process():
    return dist.get_rank() == 0


@torch.no_grad()
def evaluate(model):
    x = torch.randn(128, 4)
    error = (model.module(x) - x.abs()).pow(2).mean()
    dist.all_reduce(error)
    return error.item() / dist.get_world_size()


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(dist.get_rank())
    model = DDP(nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 4)))
    optimizer = torch.optim.Adam(model.parameters())
    lowest = float("inf")
    for _ in range(400):
        x = torch.randn(16, 4)
        loss = (model(x) - x.abs()).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        due = False
        if is_main_process():
            due = loss.item() < 0.9 * lowest
            lowest = min(lowest, loss.item())
        if due:  # expect: rank-guarded-value-steers-collective
            print("error", evaluate(model))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
