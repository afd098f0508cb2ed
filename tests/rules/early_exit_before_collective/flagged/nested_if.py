import argparse
import json

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def write_report(args, step, model, path):
    row = {"rank": dist.get_rank(), "norm": sum(p.grad.norm().item() for p in model.parameters())}
    if args.report_every > 0:
        if step % args.report_every != 0:
            return
        if dist.get_rank() != 0:
            return  # expect: early-exit-before-collective
    rows = [None] * dist.get_world_size()
    dist.all_gather_object(rows, row)
    if dist.get_rank() == 0:
        with open(path, "a") as file:
            file.write(json.dumps({"step": step, "rows": rows}) + "\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--report-every", type=int, default=25)
    parser.add_argument("--steps", type=int, default=300)
    args = parser.parse_args()
    dist.init_process_group("gloo")
    torch.manual_seed(31 + dist.get_rank())
    model = DDP(nn.Linear(16, 4))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
    for step in range(args.steps):
        x = torch.randn(8, 16)
        loss = (model(x) - x[:, :4]).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        write_report(args, step, model, "norms.jsonl")
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
