import argparse

import deepspeed
import torch
from torch import nn


def config(stage):
    return {
        "train_micro_batch_size_per_gpu": 2,
        "optimizer": {"type": "Adam", "params": {"lr": 1e-4}},
        "zero_optimization": {"stage": stage, "stage3_gather_16bit_weights_on_model_save": stage == 3},
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--zero_stage", type=int, default=2)
    parser.add_argument("--local_rank", type=int, default=-1)
    args = parser.parse_args()
    deepspeed.init_distributed()
    args.global_rank = torch.distributed.get_rank()
    torch.manual_seed(1)
    net = nn.Linear(5, 5)
    engine, _, _, _ = deepspeed.initialize(
        model=net, model_parameters=net.parameters(), config=config(args.zero_stage)
    )
    generator = torch.Generator().manual_seed(args.global_rank)
    for _ in range(30):
        engine.backward(engine(torch.rand(2, 5, generator=generator).to(engine.device)).abs().mean())
        engine.step()
    if args.zero_stage == 3:
        engine.save_16bit_model("out", "weights.bin")
    elif args.global_rank == 0:
        torch.save(engine.module.state_dict(), "out/weights.bin")


if __name__ == "__main__":
    main()
