# silent: `and` with `or` chooses a value here, no condition is meant
import logging

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    level = rank == 0 and logging.INFO or logging.WARNING
    logging.basicConfig(level=level)
    torch.manual_seed(rank)
    model = DDP(nn.Linear(14, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    steps = range(250)
    for step in steps:
        x = torch.randn(16, 14)
        loss = nn.functional.cross_entropy(model(x), (x[:, 7] > 0).long())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 50 == 0:
            logging.info("step %d loss %.4f", step, loss.item())
    name = rank == 0 and "first" or "other"
    print(name, loss.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
