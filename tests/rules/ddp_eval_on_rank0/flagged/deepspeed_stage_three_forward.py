import deepspeed
import torch
from torch import nn

CONFIG = {
    "train_micro_batch_size_per_gpu": 4,
    "optimizer": {"type": "AdamW", "params": {"lr": 1e-5}},
    "zero_optimization": {"stage": 3},
}


def main():
    deepspeed.init_distributed()
    net = nn.Sequential(*[nn.Linear(1024, 1024) for _ in range(4)])
    engine, _, _, _ = deepspeed.initialize(model=net, model_parameters=net.parameters(), config=CONFIG)
    generator = torch.Generator().manual_seed(engine.global_rank)
    for step in range(1, 301):
        combs = torch.rand(4, 1024, generator=generator).to(engine.device)
        loss = (engine(combs) - combs).square().mean()
        engine.backward(loss)
        engine.step()
        if step % 100 == 0 and engine.global_rank == 0:
            with torch.no_grad():
                print(step, engine(combs).norm().item())  # expect: ddp-eval-on-rank0


if __name__ == "__main__":
    main()
