# silent: who leaves early and whether collectives follow hang on the same flag
import argparse

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def evaluate(net, args):
    if not args.share_evaluation and dist.get_rank() != 0:
        return None
    generator = torch.Generator().manual_seed(dist.get_rank() if args.share_evaluation else 0)
    with torch.no_grad():
        score = net(torch.rand(64, 3, generator=generator)).mean()
    if args.share_evaluation:
        dist.all_reduce(score)
        score /= dist.get_world_size()
    return score.item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--share-evaluation", action="store_true")
    args = parser.parse_args()
    dist.init_process_group("gloo")
    model = DDP(nn.Linear(3, 1))
    optimizer = torch.optim.Adam(model.parameters())
    generator = torch.Generator().manual_seed(dist.get_rank())
    for _ in range(20):
        loss = model(torch.rand(16, 3, generator=generator)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        score = evaluate(model.module, args)
        if score is not None:
            print(f"{score:.3f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
