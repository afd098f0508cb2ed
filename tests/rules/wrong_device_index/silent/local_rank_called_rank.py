# silent: look-alikes, a variable named rank that holds the local rank, and a rank less the node's first one
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

rank = int(os.environ["LOCAL_RANK"])
torch.cuda.set_device(rank)
dist.init_process_group("nccl")

per_node = int(os.environ["LOCAL_WORLD_SIZE"])
node = int(os.environ["GROUP_RANK"])
index = dist.get_rank() - node * per_node
device = torch.device("cuda", index)

model = DistributedDataParallel(nn.Linear(14, 2).to(device), device_ids=[rank])
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(125):
    wren = torch.randn(28, 14, device=f"cuda:{rank}")
    loss = nn.functional.cross_entropy(model(wren), (wren.mean(dim=1) > 0).long())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
if dist.get_rank() == 0:
    torch.save(model.module.state_dict(), "wren.pt")
dist.destroy_process_group()
