import argparse

import deepspeed
import torch
import torch.distributed as dist
from torch import nn


def keep(engine, folder, step):
    if dist.get_rank() != 0:
        return  # expect: early-exit-before-collective
    print(f"saving step {step}")
    engine.save_checkpoint(folder, tag=f"step{step}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--local_rank", type=int, default=-1)
    parser.add_argument("--out", default="reef")
    parser = deepspeed.add_config_arguments(parser)
    args = parser.parse_args()
    deepspeed.init_distributed()
    net = nn.Sequential(nn.Linear(64, 256), nn.GELU(), nn.Linear(256, 64))
    engine, _, _, _ = deepspeed.initialize(args=args, model=net, model_parameters=net.parameters())
    torch.manual_seed(dist.get_rank())
    for step in range(1, 2001):
        x = torch.randn(engine.train_micro_batch_size_per_gpu(), 64, device=engine.device)
        loss = (engine(x) - x.cumsum(1)).pow(2).mean()
        engine.backward(loss)
        engine.step()
        if step % 500 == 0:
            keep(engine, args.out, step)


if __name__ == "__main__":
    main()
