# silent: the gradients are averaged before the parameters change; other changes have nothing to do with them
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


@torch.no_grad()
def descend(parameters, gradients, rate):
    for parameter, gradient in zip(parameters, gradients):
        dist.all_reduce(gradient)
        parameter -= rate * gradient / dist.get_world_size()


def sharpness(model, x):
    gradients = torch.autograd.grad(model(x).mean(), list(model.parameters()))
    return sum(gradient.pow(2).sum() for gradient in gradients).sqrt().item()


def main():
    dist.init_process_group("gloo")
    model, other = DDP(nn.Linear(6, 1)), DDP(nn.Linear(6, 1))
    optimizer = torch.optim.SGD(other.parameters(), lr=0.1)
    draws = torch.Generator().manual_seed(dist.get_rank())
    for step in range(100):
        x = torch.randn(64, 6, generator=draws)
        loss = (model(x).squeeze(1) - x.sum(1)).pow(2).mean()
        descend(model.parameters(), torch.autograd.grad(loss, model.parameters()), 0.01)
        loss = other(x).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(sharpness(other, x))
        with torch.no_grad():
            for parameter in other.parameters():
                parameter.mul_(0.999)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
