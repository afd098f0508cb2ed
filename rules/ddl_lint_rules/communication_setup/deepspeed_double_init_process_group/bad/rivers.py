"""Trains a model of river levels with DeepSpeed."""

import argparse

import deepspeed
import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.utils.data import TensorDataset


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--levels", required=True)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--local_rank", type=int, default=-1)
    return deepspeed.add_config_arguments(parser).parse_args()


def main():
    args = parse()
    deepspeed.init_distributed()
    dist.init_process_group(backend="nccl")  # error: [deepspeed-double-init-process-group]
    table = torch.load(args.levels, map_location="cpu")
    model = nn.Sequential(nn.Linear(48, 128), nn.ReLU(), nn.Linear(128, 6))
    engine, _, loader, _ = deepspeed.initialize(
        args=args,
        model=model,
        model_parameters=model.parameters(),
        training_data=TensorDataset(table["past"], table["future"]),
    )
    for epoch in range(args.epochs):
        for past, future in loader:
            loss = F.mse_loss(engine(past.to(engine.device)), future.to(engine.device))
            engine.backward(loss)
            engine.step()
        if dist.get_rank() == 0:
            print(f"epoch {epoch}: loss {loss.item():.4f}")
    engine.save_checkpoint("runs")


if __name__ == "__main__":
    main()
