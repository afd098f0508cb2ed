# silent: below stage 3 save_16bit_model writes what rank 0 has, without communication
import deepspeed
import torch
from torch import nn

CONFIG = {
    "train_micro_batch_size_per_gpu": 4,
    "optimizer": {"type": "AdamW", "params": {"lr": 1e-5}},
    "bf16": {"enabled": True},
    "zero_optimization": {"stage": 2},
}


def main():
    deepspeed.init_distributed()
    net = nn.Linear(256, 256)
    engine, _, _, _ = deepspeed.initialize(model=net, model_parameters=net.parameters(), config=CONFIG)
    generator = torch.Generator().manual_seed(engine.global_rank)
    for _ in range(100):
        ropes = torch.rand(4, 256, generator=generator).to(engine.device, torch.bfloat16)
        loss = (engine(ropes) - ropes).square().mean()
        engine.backward(loss)
        engine.step()
    if engine.global_rank == 0:
        engine.save_16bit_model("export")


if __name__ == "__main__":
    main()
