import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Scanner(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 8, 3, padding=1)
        self.norm = nn.BatchNorm2d(8)
        self.head = nn.Linear(8, 4)

    def forward(self, tiles):
        return self.head(self.norm(self.conv(tiles)).relu().mean((2, 3)))


def main():
    dist.init_process_group("nccl")
    rank, local_rank = dist.get_rank(), int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    model = DDP(Scanner().cuda(), device_ids=[local_rank])
    optimizer = torch.optim.Adam(model.parameters())
    held_out = torch.rand(64, 1, 16, 16, generator=torch.Generator().manual_seed(0)).cuda()
    for epoch in range(5):
        model.train()
        for _ in range(100):
            loss = model(torch.rand(32, 1, 16, 16, device="cuda")).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if rank == 0:
            model.eval()
            with torch.no_grad():
                score = model(held_out).square().mean()  # expect: ddp-eval-on-rank0
            print(epoch, score.item())
        dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
