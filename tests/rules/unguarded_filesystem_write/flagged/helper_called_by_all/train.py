import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

from files import run_folder, store


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--name", default="first")
    parser.add_argument("--no-save", action="store_true")
    args = parser.parse_args()
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    folder = run_folder("runs", args.name)
    net = nn.Linear(21, 5).to(local_rank)
    model = DDP(net, device_ids=[local_rank])
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    gen = torch.Generator().manual_seed(dist.get_rank())
    for step in range(900):
        x = torch.randn(16, 21, generator=gen).to(local_rank)
        loss = nn.functional.cross_entropy(model(x), x[:, :5].argmin(1))
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 300 == 0 and dist.get_rank() == 0:
            print(step, loss.item())
    if not args.no_save:
        store(net, opt, os.path.join(folder, "net.pt"))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
