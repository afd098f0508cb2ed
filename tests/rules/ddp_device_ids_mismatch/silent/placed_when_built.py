# silent: the weights are made on the GPU: default device, device context, device argument
import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Probe(nn.Module):
    def __init__(self, device):
        super().__init__()
        self.layer = nn.Linear(6, 6, device=device)

    def forward(self, x):
        return self.layer(x)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=100)
    args = parser.parse_args()
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    device = torch.device("cuda", local_rank)
    first = DDP(Probe(device), device_ids=[local_rank])
    with device:
        second = nn.Linear(6, 6)
    second = DDP(second, device_ids=[local_rank])
    torch.set_default_device(device)
    third = DDP(nn.Linear(6, 6), device_ids=[local_rank])
    opt = torch.optim.SGD([*first.parameters(), *second.parameters(), *third.parameters()], lr=0.1)
    gen = torch.Generator(device=device).manual_seed(dist.get_rank())
    for _ in range(args.steps):
        x = torch.randn(16, 6, generator=gen, device=device)
        opt.zero_grad()
        nn.functional.mse_loss(third(second(first(x))), x).backward()
        opt.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
