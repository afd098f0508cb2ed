import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Skip(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(width, dtype=torch.float32)).to(torch.bfloat16)  # expect: unregistered-tensor-attribute

    def forward(self, x):
        return x * self.scale


if __name__ == "__main__":
    dist.init_process_group("nccl")
    torch.cuda.set_device(dist.get_rank())
    model = DDP(Skip(8).cuda())
    model(torch.ones(4, 8, device="cuda")).sum().backward()
    dist.destroy_process_group()
