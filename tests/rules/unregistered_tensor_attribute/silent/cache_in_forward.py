# silent: forward makes the tensor anew, on the device of its input, and keeps it for whoever wants to look at it
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Pointer(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.score = nn.Linear(dim, 1)

    def forward(self, x):
        self.positions = torch.arange(x.shape[1], device=x.device, dtype=x.dtype)
        self.attention = self.score(x).squeeze(-1).softmax(dim=1)
        return (self.attention * self.positions).sum(dim=1)


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    model = DDP(Pointer().cuda(local_rank), device_ids=[local_rank])
    gen = torch.Generator().manual_seed(dist.get_rank())
    opt = torch.optim.Adam(model.parameters())
    for _ in range(100):
        x = torch.randn(8, 12, 24, generator=gen).cuda(local_rank)
        opt.zero_grad()
        nn.functional.mse_loss(model(x), x[..., 0].argmax(dim=1).float()).backward()
        opt.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
