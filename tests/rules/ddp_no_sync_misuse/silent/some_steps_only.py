# silent: a condition takes the context for some of the steps only
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.functional import cross_entropy
from torch.nn.parallel import DistributedDataParallel as DDP
from contextlib import ExitStack, contextmanager, nullcontext


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 8)
        self.head = nn.Linear(8, 4)

    def encode(self, x):
        return self.body(x).relu()

    def forward(self, x):
        return self.head(self.encode(x))


@contextmanager
def only_gathering(model, gather):
    if gather:
        with model.no_sync():
            yield
    else:
        yield


def main():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl")
    torch.manual_seed(dist.get_rank())
    model = DDP(Net().cuda())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        x, y = torch.randn(16, 8, device="cuda"), torch.randint(0, 4, (16,), device="cuda")

        last = _ % 4 == 3
        with nullcontext() if last else model.no_sync():
            cross_entropy(model(x), y).backward()
        with only_gathering(model, not last):
            cross_entropy(model(x), y).backward()
        with ExitStack() as stack:
            if not last:
                stack.enter_context(model.no_sync())
            cross_entropy(model(x), y).backward()
        if not last:
            with model.no_sync():
                cross_entropy(model(x), y).backward()
        else:
            cross_entropy(model(x), y).backward()
        if last:
            optimizer.step()
            optimizer.zero_grad()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
