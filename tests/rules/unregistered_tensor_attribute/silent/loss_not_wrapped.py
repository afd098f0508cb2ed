# silent: the module with the tensor is a loss, built on the right device and never wrapped
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class RareFirst(nn.Module):
    """Cross entropy that counts the rare classes more."""

    def __init__(self, counts, device):
        super().__init__()
        self.weight = torch.tensor([1.0 / count for count in counts], device=device)

    def forward(self, logits, label):
        return nn.functional.cross_entropy(logits, label, weight=self.weight)


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    device = torch.device("cuda", local_rank)
    criterion = RareFirst([900, 80, 20], device)
    model = DDP(nn.Linear(26, 3).to(device), device_ids=[local_rank])
    gen = torch.Generator().manual_seed(dist.get_rank())
    opt = torch.optim.SGD(model.parameters(), lr=0.2)
    for _ in range(300):
        x = torch.randn(64, 26, generator=gen).to(device)
        label = torch.randint(0, 3, (64,), generator=gen).to(device)
        opt.zero_grad()
        criterion(model(x), label).backward()
        opt.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
