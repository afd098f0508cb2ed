# silent: the stage stands in a file that is not there to be read
import argparse

import deepspeed
import torch
from torch import nn


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--local_rank", type=int, default=-1)
    parser = deepspeed.add_config_arguments(parser)
    args = parser.parse_args()
    net = nn.Linear(100, 100)
    engine, _, _, _ = deepspeed.initialize(args=args, model=net, model_parameters=net.parameters())
    generator = torch.Generator().manual_seed(engine.global_rank)
    for _ in range(100):
        weirs = torch.rand(4, 100, generator=generator).to(engine.device)
        loss = (engine(weirs) - weirs).square().mean()
        engine.backward(loss)
        engine.step()
    if engine.global_rank == 0:
        engine.save_16bit_model("export")


if __name__ == "__main__":
    main()
