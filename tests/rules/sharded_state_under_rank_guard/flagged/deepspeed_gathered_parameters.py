import deepspeed
import torch
import torch.distributed as dist
from torch import nn


def settings(stage):
    return {
        "train_micro_batch_size_per_gpu": 2,
        "optimizer": {"type": "Adam", "params": {"lr": 1e-4}},
        "zero_optimization": {"stage": stage},
    }


class Loom(nn.Module):
    def __init__(self, width=1024):
        super().__init__()
        self.inner = nn.Linear(width, width)
        self.head = nn.Linear(width, 8)

    def forward(self, threads):
        return self.head(self.inner(threads).relu())


def main():
    deepspeed.init_distributed()
    net = Loom()
    engine, _, _, _ = deepspeed.initialize(model=net, model_parameters=net.parameters(), config=settings(3))
    generator = torch.Generator().manual_seed(dist.get_rank())
    for step in range(500):
        threads = torch.rand(2, 1024, generator=generator).to(engine.device)
        loss = engine(threads).square().mean()
        engine.backward(loss)
        engine.step()
        if step % 100 == 0 and dist.get_rank() == 0:
            with deepspeed.zero.GatheredParameters([net.head.weight]):  # expect: sharded-state-under-rank-guard
                print(step, net.head.weight.norm().item())


if __name__ == "__main__":
    main()
