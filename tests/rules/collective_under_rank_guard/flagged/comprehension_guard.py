import torch
import torch.distributed as dist
from torch import nn


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(1)
    net = nn.Sequential(nn.Linear(13, 13), nn.SELU(), nn.Linear(13, 1))
    optimizer = torch.optim.Adam(net.parameters())
    generator = torch.Generator().manual_seed(rank)
    for _ in range(150):
        sparks = torch.rand(20, 13, generator=generator)
        loss = (net(sparks) - sparks.mean(1, keepdim=True)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        for parameter in net.parameters():
            dist.all_reduce(parameter.grad)
            parameter.grad /= dist.get_world_size()
        optimizer.step()
    norms = [parameter.detach().norm() for parameter in net.parameters()]
    works = [dist.all_reduce(norm, async_op=True) for norm in norms if rank == 0]  # expect: collective-under-rank-guard
    for work in works:
        work.wait()
    print(rank, [norm.item() for norm in norms])
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
