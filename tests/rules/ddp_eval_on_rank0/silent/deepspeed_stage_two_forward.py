# silent: below stage 3 the forward of the engine makes no collective
import deepspeed
import torch
from torch import nn

CONFIG = {
    "train_micro_batch_size_per_gpu": 4,
    "optimizer": {"type": "AdamW", "params": {"lr": 1e-5}},
    "zero_optimization": {"stage": 2},
}


def main():
    deepspeed.init_distributed()
    net = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 64))
    engine, _, _, _ = deepspeed.initialize(model=net, model_parameters=net.parameters(), config=CONFIG)
    generator = torch.Generator().manual_seed(engine.global_rank)
    for step in range(1, 301):
        combs = torch.rand(4, 64, generator=generator).to(engine.device)
        loss = (engine(combs) - combs).square().mean()
        engine.backward(loss)
        engine.step()
        if step % 100 == 0 and engine.global_rank == 0:
            with torch.no_grad():
                print(step, engine(combs).norm().item(), engine.module(combs).mean().item())


if __name__ == "__main__":
    main()
