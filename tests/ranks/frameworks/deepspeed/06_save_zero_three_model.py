import os

import deepspeed
import torch
from deepspeed.runtime.zero.partition_parameters import ZeroParamStatus
from torch import nn

CONFIG = {
    "train_micro_batch_size_per_gpu": 1,
    "optimizer": {"type": "Adam", "params": {"lr": 1e-3}},
    "zero_optimization": {"stage": 3},
}


def fetch_partitioned(parameters):
    return [p for p in parameters if hasattr(p, "ds_id") and p.ds_status == ZeroParamStatus.NOT_AVAILABLE]


def save_zero_three_model(engine, global_rank, folder, stage=0):
    to_save = engine.module if hasattr(engine, "module") else engine
    path = os.path.join(folder, "weights.bin")
    if stage != 3:
        if global_rank == 0:
            torch.save(to_save.state_dict(), path)
        return
    weights = {}
    for name, value in to_save.named_parameters():
        if hasattr(value, "ds_id"):
            with deepspeed.zero.GatheredParameters(fetch_partitioned([value]), enabled=True):
                kept = value.data.cpu()
        else:
            kept = value.cpu()
        if global_rank == 0:
            weights[name] = kept
    if global_rank == 0:
        torch.save(weights, path)


def main():
    net = nn.Sequential(nn.Linear(8, 8), nn.Linear(8, 1))
    engine, _, _, _ = deepspeed.initialize(model=net, model_parameters=net.parameters(), config=CONFIG)
    generator = torch.Generator().manual_seed(engine.global_rank)
    for _ in range(10):
        engine.backward(engine(torch.rand(1, 8, generator=generator).to(engine.device)).mean())
        engine.step()
    save_zero_three_model(engine, engine.global_rank, ".", stage=engine.zero_optimization_stage())


if __name__ == "__main__":
    main()
