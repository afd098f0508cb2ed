import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class GlacierTrainer:
    def __init__(self, steps):
        self.rank = dist.get_rank()
        self.world_size = dist.get_world_size()
        self.is_main = self.rank == 0
        self.steps = steps
        self.model = DDP(nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 1)))
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=3e-4)
        self.errors = []

    def step(self, survey):
        loss = nn.functional.huber_loss(self.model(survey), survey.amax(1, keepdim=True))
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.errors.append(loss.item())

    def all_errors(self):
        collected = [None] * self.world_size
        dist.all_gather_object(collected, self.errors)
        return [error for part in collected for error in part]

    def run(self):
        generator = torch.Generator().manual_seed(self.rank)
        for _ in range(self.steps):
            self.step(torch.rand(16, 5, generator=generator))
        if self.is_main:
            errors = self.all_errors()  # expect: collective-under-rank-guard
            print("worst", max(errors))


def main():
    dist.init_process_group("gloo")
    GlacierTrainer(steps=200).run()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
