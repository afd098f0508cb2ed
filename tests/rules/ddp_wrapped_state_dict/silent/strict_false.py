# silent: the load is not strict and says aloud what did not fit
import argparse
import logging
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def network():
    return nn.Sequential(nn.Linear(28, 28), nn.Tanh(), nn.Linear(28, 28))


def start_from(net, path):
    missing, unexpected = net.load_state_dict(torch.load(path, map_location="cpu"), strict=False)
    if missing or unexpected:
        logging.warning("not loaded: %s, not used: %s", missing, unexpected)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--start-from")
    args = parser.parse_args()
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    net = network()
    if args.start_from:
        start_from(net, args.start_from)
    model = DDP(net.to(local_rank), device_ids=[local_rank])
    gen = torch.Generator().manual_seed(dist.get_rank())
    opt = torch.optim.SGD(model.parameters(), lr=0.01)
    for _ in range(100):
        x = torch.randn(16, 28, generator=gen).to(local_rank)
        opt.zero_grad()
        nn.functional.l1_loss(model(x), x.flip(1)).backward()
        opt.step()
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), "flip.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
