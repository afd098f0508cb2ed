# silent: only the first process works with the literal index, which is its own GPU
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def preview(module):
    """Called by rank 0 alone."""
    probe = torch.linspace(-1, 1, 9).cuda(0)
    with torch.no_grad():
        print(module(probe.unsqueeze(0)).tolist())


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    device = torch.device("cuda", local_rank)
    model = DistributedDataParallel(nn.Linear(9, 2).to(device), device_ids=[local_rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(140):
        swift = torch.randn(18, 9, device=device)
        loss = nn.functional.cross_entropy(model(swift), (swift[:, 4] > 0).long())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if dist.get_rank() == 0:
        sample = torch.ones(1, 9, device="cuda:0")
        with torch.no_grad():
            print(model.module(sample).tolist())
        preview(model.module)
        torch.save(model.module.state_dict(), "swift.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
