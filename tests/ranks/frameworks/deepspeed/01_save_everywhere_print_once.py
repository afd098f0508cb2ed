import argparse

import deepspeed
import torch
from torch import nn


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--local_rank", type=int, default=-1)
    parser.add_argument("--out", default="runs")
    parser = deepspeed.add_config_arguments(parser)
    args = parser.parse_args()
    torch.manual_seed(0)
    net = nn.Linear(16, 1)
    engine, _, _, _ = deepspeed.initialize(args=args, model=net, model_parameters=net.parameters())
    generator = torch.Generator().manual_seed(engine.global_rank)
    for step in range(1000):
        batch = torch.rand(4, 16, generator=generator).to(engine.device)
        loss = engine(batch).square().mean()
        engine.backward(loss)
        engine.step()
        if step % 500 == 0:
            engine.save_checkpoint(args.out, tag=f"step{step}")
            if engine.global_rank == 0:
                print("saved", step, loss.item())


if __name__ == "__main__":
    main()
