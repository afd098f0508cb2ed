# silent: a plain loader that only serves evaluation; all ranks may see everything
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def letters(n, seed):
    generator = torch.Generator().manual_seed(seed)
    kind = torch.randint(0, 26, (n,), generator=generator)
    strokes = torch.randn(n, 30, generator=generator) + kind[:, None] / 5
    return TensorDataset(strokes, kind)


@torch.no_grad()
def accuracy(model, loader, device):
    model.eval()
    right = seen = 0
    for strokes, kind in loader:
        right += (model(strokes.to(device)).argmax(1) == kind.to(device)).sum().item()
        seen += len(kind)
    return right / seen


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    device = torch.device("cuda", local_rank)
    train_set, test_set = letters(20_000, 0), letters(2_000, 1)
    sampler = DistributedSampler(train_set)
    train_loader = DataLoader(train_set, batch_size=64, sampler=sampler)
    test_loader = DataLoader(test_set, batch_size=256, shuffle=False)
    model = DDP(nn.Sequential(nn.Linear(30, 90), nn.ReLU(), nn.Linear(90, 26)).to(device), device_ids=[local_rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for epoch in range(7):
        model.train()
        sampler.set_epoch(epoch)
        for strokes, kind in train_loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(strokes.to(device)), kind.to(device)).backward()
            optimizer.step()
        score = accuracy(model, test_loader, device)
        if dist.get_rank() == 0:
            print(f"epoch {epoch}: accuracy {score:.3f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
