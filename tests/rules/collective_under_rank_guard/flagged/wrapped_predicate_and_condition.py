import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def synchronize():
    if not dist.is_available() or not dist.is_initialized():
        return
    if dist.get_world_size() == 1:
        return
    dist.barrier()


def is_main_process():
    return not dist.is_initialized() or dist.get_rank() == 0


def save(model, path):
    torch.save(model.module.state_dict(), path)
    synchronize()


def main():
    dist.init_process_group("gloo")
    model = DDP(nn.Linear(21, 7))
    optimizer = torch.optim.Adam(model.parameters())
    generator = torch.Generator().manual_seed(dist.get_rank())
    best = float("inf")
    for epoch in range(12):
        for _ in range(20):
            stamps = torch.rand(28, 21, generator=generator)
            loss = nn.functional.cross_entropy(model(stamps), stamps[:, :7].argmax(1))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        mean = loss.detach().clone()
        dist.all_reduce(mean)
        if mean.item() < best:
            best = mean.item()
            if is_main_process():
                save(model, "stamps.pt")  # expect: collective-under-rank-guard
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
