import os

import numpy as np
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def window(size):
    return np.hanning(size).astype(np.float32)


class Spectrum(nn.Module):
    def __init__(self, size=128, classes=7):
        super().__init__()
        self.size = size
        self._build_tables()
        self.head = nn.Linear(size // 2 + 1, classes)

    def _build_tables(self):
        self.window = torch.from_numpy(window(self.size))  # expect: unregistered-tensor-attribute

    def _power(self, signal):
        return torch.fft.rfft(signal * self.window).abs()

    def forward(self, signal):
        return self.head(self._power(signal))


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    model = DDP(Spectrum().cuda(local_rank), device_ids=[local_rank])
    gen = torch.Generator().manual_seed(dist.get_rank())
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    for _ in range(300):
        signal = torch.randn(24, 128, generator=gen).cuda(local_rank)
        kind = torch.randint(0, 7, (24,), generator=gen).cuda(local_rank)
        opt.zero_grad()
        nn.functional.cross_entropy(model(signal), kind).backward()
        opt.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
