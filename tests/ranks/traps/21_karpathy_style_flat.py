import os

import torch
import torch.nn as nn
from torch.distributed import destroy_process_group, init_process_group
from torch.nn.parallel import DistributedDataParallel as DDP

ddp = int(os.environ.get("RANK", -1)) != -1
if ddp:
    init_process_group(backend="nccl")
    ddp_rank = int(os.environ["RANK"])
    ddp_local_rank = int(os.environ["LOCAL_RANK"])
    device = f"cuda:{ddp_local_rank}"
    torch.cuda.set_device(device)
    master_process = ddp_rank == 0
    seed_offset = ddp_rank
else:
    master_process = True
    seed_offset = 0
    device = "cuda"
torch.manual_seed(1337 + seed_offset)
model = nn.Sequential(nn.Embedding(64, 32), nn.Linear(32, 64)).to(device)
if ddp:
    model = DDP(model, device_ids=[ddp_local_rank])
raw_model = model.module if ddp else model
optimizer = torch.optim.AdamW(model.parameters(), lr=6e-4)


def get_batch():
    tokens = torch.randint(0, 64, (8, 65), device=device)
    return tokens[:, :-1], tokens[:, 1:]


@torch.no_grad()
def estimate_loss():
    raw_model.eval()
    losses = []
    for _ in range(10):
        inputs, targets = get_batch()
        losses.append(nn.functional.cross_entropy(raw_model(inputs).flatten(0, 1), targets.flatten()).item())
    raw_model.train()
    return sum(losses) / len(losses)


iteration, best = 0, 1e9
while True:
    if iteration % 100 == 0 and master_process:
        loss_now = estimate_loss()
        if loss_now < best:
            best = loss_now
            torch.save({"model": raw_model.state_dict(), "iteration": iteration}, "ckpt.pt")
    for micro_step in range(4):
        if ddp:
            model.require_backward_grad_sync = micro_step == 3
        inputs, targets = get_batch()
        loss = nn.functional.cross_entropy(model(inputs).flatten(0, 1), targets.flatten()) / 4
        loss.backward()
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    iteration += 1
    if iteration > 1000:
        break
if ddp:
    destroy_process_group()
