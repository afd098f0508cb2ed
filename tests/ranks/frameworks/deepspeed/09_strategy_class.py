import os

import deepspeed
import torch
import torch.distributed as dist
from torch import nn


class DeepspeedStrategy:
    def __init__(self, stage=2):
        self.stage = stage

    def setup_distributed(self):
        local_rank = int(os.environ["LOCAL_RANK"])
        torch.cuda.set_device(local_rank)
        deepspeed.init_distributed()

    def is_rank_0(self):
        return dist.get_rank() == 0

    def print(self, *message):
        if self.is_rank_0():
            print(*message)

    def prepare(self, model):
        config = {
            "train_micro_batch_size_per_gpu": 2,
            "optimizer": {"type": "Adam", "params": {"lr": 1e-4}},
            "zero_optimization": {"stage": self.stage},
        }
        return deepspeed.initialize(model=model, model_parameters=model.parameters(), config=config)[0]

    def all_reduce(self, value):
        tensor = torch.tensor([float(value)], device=torch.cuda.current_device())
        dist.all_reduce(tensor)
        return tensor.item() / dist.get_world_size()

    def save_model(self, engine, folder):
        if self.is_rank_0():
            os.makedirs(folder, exist_ok=True)
        weights = {}
        for name, value in engine.module.named_parameters():
            with deepspeed.zero.GatheredParameters([value], enabled=self.stage == 3):
                if self.is_rank_0():
                    weights[name] = value.data.cpu()
        if self.is_rank_0():
            torch.save(weights, os.path.join(folder, "model.pt"))
        dist.barrier()


def main():
    strategy = DeepspeedStrategy(stage=3)
    strategy.setup_distributed()
    engine = strategy.prepare(nn.Linear(11, 1))
    generator = torch.Generator().manual_seed(dist.get_rank())
    for _ in range(10):
        loss = engine(torch.rand(2, 11, generator=generator).cuda()).mean()
        engine.backward(loss)
        engine.step()
        strategy.print(strategy.all_reduce(loss.item()))
    strategy.save_model(engine, "actor")


if __name__ == "__main__":
    main()
