"""Learning rate scaled by a world size that nobody has set up; started with torchrun."""

import os

import torch
import torch.distributed
from torch import nn

local_rank = int(os.environ["LOCAL_RANK"])
torch.cuda.set_device(local_rank)
device = torch.device("cuda", local_rank)

model = nn.Sequential(nn.Linear(25, 50), nn.ReLU(), nn.Linear(50, 5)).to(device)
lr = 1e-3 * torch.distributed.get_world_size()  # expect: missing-init-process-group
optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
model = nn.parallel.DistributedDataParallel(model, device_ids=[local_rank], output_device=local_rank)

for _ in range(200):
    honey = torch.randn(48, 25, device=device)
    loss = nn.functional.cross_entropy(model(honey), honey[:, :5].argmax(dim=1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

if torch.distributed.get_rank() == 0:
    torch.save(model.module.state_dict(), "honey.pt")
