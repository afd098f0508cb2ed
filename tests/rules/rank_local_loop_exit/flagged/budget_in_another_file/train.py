import os

import torch
import torch.distributed as dist
from budget import Budget
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def train_one_epoch(model, loader, optimizer, budget):
    for x, y in loader:
        loss = nn.functional.l1_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if budget.is_spent():
            return False  # error: [rank-local-loop-exit]
    return True


def main():
    budget = Budget(float(os.environ.get("JOB_SECONDS", "86400")))
    dist.init_process_group("gloo")
    data = TensorDataset(*torch.load("tides.pt", map_location="cpu"))
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=16, sampler=sampler, drop_last=True)
    model = DDP(nn.Linear(30, 30))
    optimizer = torch.optim.Adagrad(model.parameters())
    for epoch in range(1000):
        sampler.set_epoch(epoch)
        if not train_one_epoch(model, loader, optimizer, budget):
            break
    if dist.get_rank() == 0:
        torch.save({"model": model.module.state_dict(), "epoch": epoch}, "tides_model.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
