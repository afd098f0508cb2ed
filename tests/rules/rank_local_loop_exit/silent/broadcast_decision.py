# silent: rank 0 looks at its clock and tells the others
import time

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Clock:
    def __init__(self, seconds):
        self.end = time.monotonic() + seconds

    def is_over(self):
        answer = [time.monotonic() > self.end]
        dist.broadcast_object_list(answer, src=0)
        return answer[0]


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(dist.get_rank())
    model = DDP(nn.Linear(8, 8))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    clock = Clock(seconds=900)
    step = 0
    while not clock.is_over():
        x = torch.randn(32, 8)
        loss = (model(x) - x).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        step += 1
    print(f"{step} steps")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
