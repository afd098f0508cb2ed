from __future__ import annotations

import argparse

import deepspeed
import torch
from torch import nn


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--local_rank", type=int, default=-1)
    args = deepspeed.add_config_arguments(parser).parse_args()
    deepspeed.init_distributed("gloo")
    net = nn.Linear(8, 2)
    engine, _, _, _ = deepspeed.initialize(args=args, model=net, model_parameters=net.parameters())
    loss = engine(torch.ones(4, 8)).square().mean()
    engine.backward(loss)
    engine.step()
    print("result:", engine.global_steps, flush=True)
    torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main()
