import json
import os

import deepspeed
import torch
from torch import nn

CONFIG = {
    "train_micro_batch_size_per_gpu": 4,
    "optimizer": {"type": "AdamW", "params": {"lr": 1e-4}},
    "bf16": {"enabled": True},
    "zero_optimization": {"stage": 3, "stage3_gather_16bit_weights_on_model_save": True},
}


def main():
    net = nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 2))
    engine, _, _, _ = deepspeed.initialize(model=net, model_parameters=net.parameters(), config=CONFIG)
    generator = torch.Generator().manual_seed(engine.global_rank)
    for _ in range(200):
        batch = torch.rand(4, 32, generator=generator).to(engine.device, torch.bfloat16)
        engine.backward(engine(batch).logsumexp(-1).mean())
        engine.step()
    if engine.global_rank == 0:
        os.makedirs("export", exist_ok=True)
        with open("export/config.json", "w") as handle:
            json.dump({"hidden": 64}, handle)
    deepspeed.comm.barrier()
    engine.save_16bit_model("export", "weights.bin")


if __name__ == "__main__":
    main()
