# silent: a flat script that starts the group only when the launcher gave it a rank
import os

import torch
from torch import nn
from torch.distributed import destroy_process_group, get_world_size, init_process_group
from torch.nn.parallel import DistributedDataParallel as DDP

ddp = int(os.environ.get("RANK", -1)) != -1
if ddp:
    init_process_group(backend="nccl")
    local_rank = int(os.environ["LOCAL_RANK"])
    device = f"cuda:{local_rank}"
    torch.cuda.set_device(device)
    master = int(os.environ["RANK"]) == 0
    seed_offset = int(os.environ["RANK"])
    copies = get_world_size()
else:
    device = "cuda" if torch.cuda.is_available() else "cpu"
    master = True
    seed_offset = 0
    copies = 1

torch.manual_seed(99 + seed_offset)
model = nn.Sequential(nn.Embedding(64, 32), nn.Flatten(), nn.Linear(32 * 8, 64)).to(device)
if ddp:
    model = DDP(model, device_ids=[local_rank])
raw_model = model.module if ddp else model
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)

for step in range(300):
    tokens = torch.randint(0, 64, (32 // copies, 9), device=device)
    loss = nn.functional.cross_entropy(model(tokens[:, :8]), tokens[:, 8])
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
    if step % 100 == 0 and master:
        print(step, loss.item())
        torch.save(raw_model.state_dict(), "weights.pt")

if ddp:
    destroy_process_group()
