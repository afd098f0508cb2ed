# silent: processes that stop early go on answering the others
import time

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.algorithms.join import Join
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(dist.get_rank())
    model = DDP(nn.Linear(10, 10))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    end = time.time() + 600
    with Join([model]):
        for _ in range(100000):
            x = torch.randn(16, 10)
            loss = (model(x) - x).abs().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            if time.time() > end:
                break
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
