# silent: the keys with the prefix are read by the same script, into the wrapped model
import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--resume", default="")
    args = parser.parse_args()
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    model = DDP(nn.Linear(80, 3).to(local_rank), device_ids=[local_rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    start = 0
    if args.resume:
        checkpoint = torch.load(args.resume, map_location=f"cuda:{local_rank}")
        model.load_state_dict(checkpoint["model"])
        optimizer.load_state_dict(checkpoint["optimizer"])
        start = checkpoint["epoch"]
    gen = torch.Generator().manual_seed(1)
    data = TensorDataset(torch.randn(1200, 80, generator=gen), torch.randint(0, 3, (1200,), generator=gen))
    sampler = DistributedSampler(data)
    for epoch in range(start, 30):
        sampler.set_epoch(epoch)
        for x, y in DataLoader(data, batch_size=40, sampler=sampler):
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x.to(local_rank)), y.to(local_rank)).backward()
            optimizer.step()
        if dist.get_rank() == 0:
            content = {"epoch": epoch + 1, "model": model.state_dict(), "optimizer": optimizer.state_dict()}
            torch.save(content, "last.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
