import os
from copy import deepcopy

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Denoiser(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(12, 48), nn.SiLU(), nn.Linear(48, 12))

    def forward(self, noisy):
        return self.body(noisy)

    @torch.no_grad()
    def sample(self, count, device):
        value = torch.randn(count, 12, device=device)
        for _ in range(10):
            value = value - 0.1 * self(value)
        return value


class Trainer:
    def __init__(self, local_rank):
        self.local_rank = local_rank
        self.rank = dist.get_rank()
        torch.manual_seed(0)
        model = Denoiser().to(local_rank)
        self.ema = deepcopy(model)
        self.ema.requires_grad_(False)
        self.model = DDP(model, device_ids=[local_rank])
        self.raw = model
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-4)

    def step(self, batch):
        self.optimizer.zero_grad()
        nn.functional.mse_loss(self.model(batch), batch).backward()
        self.optimizer.step()

    def run(self, steps):
        generator = torch.Generator().manual_seed(self.rank)
        for step in range(steps):
            self.step(torch.randn(8, 12, generator=generator).to(self.local_rank))
            if step % 100 == 0 and self.rank == 0:
                torch.save(self.ema.sample(4, self.local_rank).cpu(), f"sample{step}.pt")
                self.raw.eval()
                print(self.raw.sample(2, self.local_rank).std().item())
                print(self.model.module.sample(2, self.local_rank).std().item())
                self.raw.train()


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    Trainer(local_rank).run(1000)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
