# silent: env:// takes rank and world size from the launcher's variables
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

INIT_METHOD = "env://"


def main():
    dist.init_process_group(backend="gloo", init_method=INIT_METHOD)
    model = DDP(nn.Linear(9, 9))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for step in range(100):
        pebble = torch.randn(12, 9)
        loss = (model(pebble) - pebble.flip(1)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 50 == 0 and dist.get_rank() == 0:
            print(step, loss.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
