import deepspeed
import torch
import torch.distributed as dist
from torch import nn

CONFIG = {
    "train_micro_batch_size_per_gpu": 4,
    "optimizer": {"type": "Adam", "params": {"lr": 1e-4}},
    "zero_optimization": {"stage": 2},
}


class Coach:
    def __init__(self):
        net = nn.Linear(80, 80)
        self.engine, _, _, _ = deepspeed.initialize(model=net, model_parameters=net.parameters(), config=CONFIG)
        self.rank = dist.get_rank()

    def step(self, batch):
        loss = (self.engine(batch) - batch).square().mean()
        self.engine.backward(loss)
        self.engine.step()
        return loss

    def run(self, steps):
        generator = torch.Generator().manual_seed(self.rank)
        for _ in range(steps):
            self.step(torch.rand(4, 80, generator=generator).to(self.engine.device))
        if self.rank == 0:
            last = self.step(torch.zeros(4, 80, device=self.engine.device))  # expect: ddp-eval-on-rank0
            print(last.item())


if __name__ == "__main__":
    deepspeed.init_distributed()
    Coach().run(100)
