# silent: no init_method at all, torchrun's environment says who is who
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    device = torch.device("cuda", local_rank)
    model = DDP(nn.Linear(30, 10).to(device), device_ids=[local_rank])
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for _ in range(150):
        comet = torch.randn(64, 30, device=device)
        loss = nn.functional.cross_entropy(model(comet), comet[:, :10].argmax(dim=1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if dist.get_rank() == 0:
        torch.save(model.module.state_dict(), "comet.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
