# silent: each rank makes a group of itself alone, in which it meets nobody
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    alone = dist.new_group([rank])
    torch.manual_seed(rank)
    model = DDP(nn.Linear(11, 4))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(45):
        x = torch.randn(10, 11)
        loss = (model(x) - x[:, :4]).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(rank, dist.get_world_size(alone), loss.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
