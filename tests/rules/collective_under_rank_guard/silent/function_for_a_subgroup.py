# silent: the function is called on the members of a sub-group only, and makes its calls on that group
import torch
import torch.distributed as dist
from torch import nn


class Pair:
    def __init__(self, ranks):
        self.ranks = ranks
        self.group = dist.new_group(ranks)

    def average(self, tensor):
        dist.all_reduce(tensor, group=self.group)
        return tensor / len(self.ranks)


def refine(pair, net, rank):
    generator = torch.Generator().manual_seed(rank)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(20):
        loss = net(torch.rand(12, 3, generator=generator)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        for parameter in net.parameters():
            parameter.grad = pair.average(parameter.grad)
        optimizer.step()
    dist.barrier(group=pair.group)


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    pair = Pair([0, 1])
    torch.manual_seed(0)
    net = nn.Linear(3, 1)
    if rank < 2:
        refine(pair, net, rank)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
