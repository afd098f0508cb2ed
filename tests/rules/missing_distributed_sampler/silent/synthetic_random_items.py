# silent: a throughput benchmark whose data set makes up each item
import os
import time

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset


class NoiseImages(Dataset):
    """Stands for a real data set; only its speed matters."""

    def __init__(self, length):
        self.length = length

    def __len__(self):
        return self.length

    def __getitem__(self, index):
        return torch.randn(3, 96, 96), torch.randint(0, 50, ()).item()


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    device = torch.device("cuda", local_rank)
    body = nn.Sequential(nn.Conv2d(3, 64, 9, stride=3), nn.ReLU(), nn.AdaptiveMaxPool2d(2), nn.Flatten())
    net = nn.Sequential(body, nn.Linear(256, 50))
    net = DDP(net.to(device), device_ids=[local_rank])
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    loader = DataLoader(NoiseImages(12_800), batch_size=128, num_workers=8)
    for repeat in range(3):
        begin = time.perf_counter()
        for image, label in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(net(image.to(device)), label.to(device)).backward()
            optimizer.step()
        torch.cuda.synchronize()
        if dist.get_rank() == 0:
            print(f"repeat {repeat}: {12_800 * dist.get_world_size() / (time.perf_counter() - begin):.0f} images/s")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
