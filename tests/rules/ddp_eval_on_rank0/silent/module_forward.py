# silent: the guarded evaluation calls the module behind the wrapper
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


@torch.no_grad()
def evaluate(net):
    net.eval()
    score = net(torch.rand(100, 6, generator=torch.Generator().manual_seed(3))).mean().item()
    net.train()
    return score


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    model = DDP(nn.Sequential(nn.BatchNorm1d(6), nn.Linear(6, 1)))
    optimizer = torch.optim.Adam(model.parameters())
    generator = torch.Generator().manual_seed(rank)
    for epoch in range(5):
        for _ in range(20):
            loss = model(torch.rand(16, 6, generator=generator)).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if rank == 0:
            print(epoch, evaluate(model.module))
        dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
