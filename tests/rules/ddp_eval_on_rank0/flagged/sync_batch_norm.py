import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("nccl")
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    net = nn.Sequential(nn.Conv2d(3, 16, 3), nn.BatchNorm2d(16), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten())
    net = nn.SyncBatchNorm.convert_sync_batchnorm(net).cuda()
    model = DDP(net, device_ids=[local_rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(300):
        loss = model(torch.rand(8, 3, 32, 32, device="cuda")).var()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if local_rank == 0:
        features = model(torch.rand(8, 3, 32, 32, device="cuda"))  # expect: ddp-eval-on-rank0
        print(features.mean(0).tolist())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
