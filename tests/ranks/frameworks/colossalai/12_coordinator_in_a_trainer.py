from abc import ABC, abstractmethod

import colossalai
import torch
import torch.distributed as dist
from colossalai.booster import Booster
from colossalai.booster.plugin import TorchDDPPlugin
from colossalai.cluster import DistCoordinator
from torch import nn


def is_rank_0():
    return not dist.is_initialized() or dist.get_rank() == 0


def all_reduce_mean(tensor):
    dist.all_reduce(tensor, op=dist.ReduceOp.SUM)
    return tensor / dist.get_world_size()


class Trainer(ABC):
    def __init__(self, booster, epochs):
        self.booster, self.epochs = booster, epochs
        self.coordinator = DistCoordinator()

    @abstractmethod
    def _train(self, epoch): ...

    def fit(self):
        for epoch in range(self.epochs):
            loss = self._train(epoch)
            if is_rank_0():
                print(epoch, loss)
            self.coordinator.block_all()


class RewardTrainer(Trainer):
    def __init__(self, booster, epochs, model, optimizer):
        super().__init__(booster, epochs)
        self.model, self.optimizer, *_ = booster.boost(model, optimizer)
        self.generator = torch.Generator().manual_seed(self.coordinator.rank)

    def _train(self, epoch):
        self.optimizer.zero_grad()
        loss = self.model(torch.rand(4, 9, generator=self.generator).cuda()).square().mean()
        self.booster.backward(loss, self.optimizer)
        self.optimizer.step()
        mean = all_reduce_mean(loss.detach().clone()).item()
        if self.coordinator.is_master():
            print("step done")
        return mean


def main():
    colossalai.launch_from_torch()
    torch.manual_seed(0)
    model = nn.Linear(9, 1)
    RewardTrainer(Booster(plugin=TorchDDPPlugin()), 5, model, torch.optim.Adam(model.parameters())).fit()


if __name__ == "__main__":
    main()
