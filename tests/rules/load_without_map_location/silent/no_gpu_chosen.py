# silent: look-alike, without a GPU of its own the process has the whole machine for itself
import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gpu", type=int)
    parser.add_argument("--resume", default="")
    args = parser.parse_args()
    dist.init_process_group("nccl")
    net = nn.Linear(20, 20)
    if args.gpu is not None:
        torch.cuda.set_device(args.gpu)
        net.cuda(args.gpu)
    else:
        net.cuda()
    if os.path.isfile(args.resume):
        if args.gpu is None:
            saved = torch.load(args.resume)
        else:
            saved = torch.load(args.resume, map_location="cuda:{}".format(args.gpu))
        net.load_state_dict(saved["net"])
    model = DDP(net)
    gen = torch.Generator().manual_seed(dist.get_rank())
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        wave = torch.randn(16, 20, generator=gen).cuda(args.gpu)
        opt.zero_grad()
        nn.functional.mse_loss(model(wave), wave).backward()
        opt.step()
    if dist.get_rank() == 0:
        torch.save({"net": model.module.state_dict()}, "wave.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
