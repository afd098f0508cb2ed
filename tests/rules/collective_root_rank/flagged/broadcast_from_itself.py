import torch
import torch.distributed as dist
from torch import nn


def same_start(model):
    for parameter in model.parameters():
        dist.broadcast(parameter.data, src=dist.get_rank())  # expect: collective-root-rank


def average_gradients(model):
    for parameter in model.parameters():
        dist.all_reduce(parameter.grad)
        parameter.grad /= dist.get_world_size()


def main():
    dist.init_process_group("gloo")
    model = nn.Sequential(nn.Linear(5, 25), nn.ReLU(), nn.Linear(25, 1))
    same_start(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    generator = torch.Generator().manual_seed(dist.get_rank())
    for _ in range(100):
        x = torch.randn(16, 5, generator=generator)
        loss = (model(x).squeeze(1) - x.max(1).values).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        average_gradients(model)
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
