import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

local_rank = int(os.environ["LOCAL_RANK"])
torch.cuda.set_device(local_rank)
dist.init_process_group("nccl")
device = torch.device("cuda", local_rank)

torch.manual_seed(dist.get_rank())
net = DDP(nn.Sequential(nn.Linear(30, 30), nn.ReLU(), nn.Linear(30, 2)).to(device), device_ids=[local_rank])
optimizer = torch.optim.AdamW(net.parameters(), lr=3e-4)
for step in range(500):
    spectrum = torch.rand(64, 30, device=device)
    kind = (spectrum[:, :15].sum(1) > spectrum[:, 15:].sum(1)).long()
    loss = nn.functional.cross_entropy(net(spectrum), kind)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

if dist.get_rank() > 0:
    print("done, leaving the rest to rank 0")
    exit(0)  # expect: early-exit-before-collective

parts = [torch.zeros_like(loss) for _ in range(dist.get_world_size())]
dist.all_gather(parts, loss.detach())
print(torch.stack(parts).tolist())
dist.destroy_process_group()
