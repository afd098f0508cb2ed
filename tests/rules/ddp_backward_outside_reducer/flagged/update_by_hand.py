import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


@torch.no_grad()
def descend(parameters, gradients, rate):
    for parameter, gradient in zip(parameters, gradients):
        parameter -= rate * gradient


def main():
    dist.init_process_group("gloo")
    model = DDP(nn.Linear(6, 1))
    draws = torch.Generator().manual_seed(dist.get_rank())
    for step in range(100):
        x = torch.randn(64, 6, generator=draws)
        loss = (model(x).squeeze(1) - x.sum(1)).pow(2).mean()
        gradients = torch.autograd.grad(loss, model.parameters())  # expect: ddp-backward-outside-reducer
        descend(model.parameters(), gradients, 0.01)
        shown = loss.detach()
        dist.all_reduce(shown)
        if dist.get_rank() == 0:
            print(step, shown.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
