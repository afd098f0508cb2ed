# silent: the first process of each node meets its like in a group of their own
import os

import torch
import torch.distributed as dist
from torch import nn


def main():
    dist.init_process_group("nccl")
    local_rank = int(os.environ["LOCAL_RANK"])
    per_node = int(os.environ["LOCAL_WORLD_SIZE"])
    torch.cuda.set_device(local_rank)
    leaders = dist.new_group(list(range(0, dist.get_world_size(), per_node)))
    torch.manual_seed(0)
    net = nn.Linear(8, 8).cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for step in range(200):
        loss = net(torch.rand(16, 8, device="cuda")).square().mean()
        optimizer.zero_grad()
        loss.backward()
        for parameter in net.parameters():
            dist.all_reduce(parameter.grad)
            parameter.grad /= dist.get_world_size()
        optimizer.step()
        if local_rank == 0:
            value = loss.detach().clone()
            dist.all_reduce(value, op=dist.ReduceOp.MAX, group=leaders)
            if dist.get_rank() == 0:
                print(step, value.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
