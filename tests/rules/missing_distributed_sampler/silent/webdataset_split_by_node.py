# silent: a webdataset pipeline that gives each node its own archives
import os

import torch
import torch.distributed as dist
import webdataset as wds
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader

STEPS = 2000


def archives(pattern, batch_size):
    return (
        wds.WebDataset(pattern, resampled=False, nodesplitter=wds.split_by_node, shardshuffle=100)
        .shuffle(1000)
        .decode("torchrgb")
        .to_tuple("jpg", "cls")
        .batched(batch_size)
        .repeat()
    )


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    device = torch.device("cuda", local_rank)
    torch.manual_seed(1)
    loader = DataLoader(archives(os.environ["ARCHIVES"], 64), batch_size=None, num_workers=4)
    body = nn.Sequential(nn.Conv2d(3, 32, 7, stride=4), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten())
    net = nn.Sequential(body, nn.Linear(32, 10))
    net = DDP(net.to(device), device_ids=[local_rank])
    optimizer = torch.optim.AdamW(net.parameters())
    for _, (image, kind) in zip(range(STEPS), loader):
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(image.to(device)), kind.to(device)).backward()
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
