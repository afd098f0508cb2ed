"""Count lichens on rock faces, with the statistics of all ranks in the log.

torchrun --nproc-per-node 4 train_lichen.py
"""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def rocks():
    generator = torch.Generator().manual_seed(9)
    faces = torch.rand(512, 3, 48, 48, generator=generator)
    return TensorDataset(faces, faces.mean((1, 2, 3)) * 40)


def gather_counts(counts):
    """The counts of all ranks in one tensor."""
    everybody = torch.empty(counts.numel() * dist.get_world_size(), device=counts.device)
    dist._all_gather_base(everybody, counts)  # error: [deprecated-distributed-api]
    return everybody


def main():
    os.environ.setdefault("NCCL_ASYNC_ERROR_HANDLING", "1")  # error: [deprecated-distributed-api]
    dist.init_process_group("nccl")
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)

    data = rocks()
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=32, sampler=sampler)
    net = nn.Sequential(nn.Conv2d(3, 16, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 1))
    model = DDP(net.cuda(), device_ids=[local_rank])
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)

    for epoch in range(5):
        sampler.set_epoch(epoch)
        error = torch.zeros(1, device="cuda")
        for faces, lichens in loader:
            optimizer.zero_grad()
            counts = model(faces.cuda()).squeeze(1)
            loss = nn.functional.mse_loss(counts, lichens.cuda())
            loss.backward()
            optimizer.step()
            error += loss.detach()
        dist.all_reduce(error, op=dist.reduce_op.SUM)  # error: [deprecated-distributed-api]
        spread = gather_counts(counts.detach()).std()
        if dist.get_rank() == 0:
            print(f"epoch {epoch}: error {error.item():.3f}, spread {spread.item():.3f}")

    dist.destroy_process_group()


if __name__ == "__main__":
    main()
