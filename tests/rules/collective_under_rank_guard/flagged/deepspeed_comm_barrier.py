import argparse

import deepspeed
import torch
from deepspeed import comm as dist
from torch import nn


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--local_rank", type=int, default=-1)
    parser.add_argument("--notes", default="notes.txt")
    parser = deepspeed.add_config_arguments(parser)
    args = parser.parse_args()
    deepspeed.init_distributed()
    net = nn.Sequential(nn.Linear(32, 64), nn.GELU(), nn.Linear(64, 32))
    engine, _, _, _ = deepspeed.initialize(args=args, model=net, model_parameters=net.parameters())
    generator = torch.Generator().manual_seed(dist.get_rank())
    for step in range(200):
        clay = torch.rand(16, 32, generator=generator).to(engine.device)
        loss = nn.functional.mse_loss(engine(clay), clay)
        engine.backward(loss)
        engine.step()
    if dist.get_rank() == 0:
        with open(args.notes, "w") as file:
            file.write(f"last loss {loss.item()}\n")
        dist.barrier()  # expect: collective-under-rank-guard
    print("done", dist.get_rank())


if __name__ == "__main__":
    main()
