import os

import torch
from torch import distributed as c10d
from torch import nn
from tqdm import tqdm

from feeds import FeedConfig, train_feed


def wrap(net, gpu):
    return nn.parallel.DistributedDataParallel(net.to(gpu), device_ids=[gpu])


def epoch_loss(net, feed, optimizer, gpu, quiet):
    total = 0.0
    for history, close in tqdm(feed, disable=quiet):
        optimizer.zero_grad()
        loss = nn.functional.huber_loss(net(history.to(gpu)), close.to(gpu))
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total / len(feed)


def main():
    gpu = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(gpu)
    c10d.init_process_group("nccl")
    quiet = c10d.get_rank() != 0
    torch.manual_seed(4)
    net = wrap(nn.Sequential(nn.Linear(19, 38), nn.ReLU(), nn.Linear(38, 1)), gpu)
    optimizer = torch.optim.Adam(net.parameters())
    feed = train_feed(FeedConfig(batch_size=70))
    for epoch in range(12):
        mean = epoch_loss(net, feed, optimizer, gpu, quiet)
        if not quiet:
            print(f"{epoch}: {mean:.4f}")
    c10d.destroy_process_group()


if __name__ == "__main__":
    main()
