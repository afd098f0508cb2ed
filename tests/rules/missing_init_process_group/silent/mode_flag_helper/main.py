# silent: the helper may leave early without a group, and says so in args.distributed
import argparse

import misc
import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def main(args):
    misc.init_distributed_mode(args)
    device = torch.device(args.device)
    torch.manual_seed(args.seed + misc.get_rank())
    model = nn.Sequential(nn.Linear(5, 20), nn.ReLU(), nn.Linear(20, 2)).to(device)
    bare = model
    if args.distributed:
        model = DistributedDataParallel(model, device_ids=[args.gpu])
        bare = model.module
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for _ in range(args.steps):
        herd = torch.randn(64, 5, device=device)
        loss = nn.functional.cross_entropy(model(herd), (herd.sum(dim=1) > 0).long())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if misc.is_main_process():
        torch.save(bare.state_dict(), args.output)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--output", default="herd.pt")
    main(parser.parse_args())
    if torch.distributed.is_initialized():
        torch.distributed.destroy_process_group()
