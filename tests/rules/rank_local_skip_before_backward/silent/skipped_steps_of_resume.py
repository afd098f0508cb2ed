# silent: what is skipped depends on counters and settings, which are equal on all ranks
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    dist.init_process_group("nccl")
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    torch.cuda.set_device(device)
    data = TensorDataset(*torch.load("rings.pt", map_location="cpu"))
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=48, sampler=sampler)
    model = DDP(nn.Linear(33, 2).to(device), device_ids=[device.index])
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    state = torch.load("resume.pt", map_location="cpu")
    first_epoch, done = state["epoch"], state["step"]
    limit = int(os.environ["LIMIT"]) if "LIMIT" in os.environ else None
    freeze = os.environ.get("FREEZE") == "1"
    for epoch in range(12):
        sampler.set_epoch(epoch)
        for step, (orbit, kind) in enumerate(loader):
            if epoch == first_epoch and step < done:
                continue
            if limit is not None and step >= limit:
                break
            loss = nn.functional.cross_entropy(model(orbit.to(device)), kind.to(device))
            optimizer.zero_grad()
            if step % len(loader) != 0 or not freeze:
                loss.backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
