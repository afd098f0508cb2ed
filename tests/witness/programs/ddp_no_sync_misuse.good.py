from contextlib import nullcontext

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    model = DDP(nn.Linear(4, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    torch.manual_seed(dist.get_rank())
    for step in range(4):
        with nullcontext() if step % 2 == 1 else model.no_sync():
            loss = model(torch.randn(8, 4)).square().mean()
            loss.backward()
        if step % 2 == 1:
            optimizer.step()
            optimizer.zero_grad()
    print("result:", f"{model.module.weight.sum().item():.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
