# silent: the guarded call switches the barriers of the helper off by its argument
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def make_table(seed, rank=-1):
    if rank not in (-1, 0):
        dist.barrier()
    table = torch.rand(200, 6, generator=torch.Generator().manual_seed(seed))
    if rank == 0:
        dist.barrier()
    return table


def save(model, path, together=True):
    if dist.get_rank() == 0:
        torch.save(model.module.state_dict(), path)
    if together:
        dist.barrier()


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    training = make_table(1, rank=rank)
    model = DDP(nn.Linear(6, 6))
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(10):
        loss = (model(training) - training).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        save(model, "last.pt")
        if rank == 0:
            validation = make_table(2, rank=-1)
            with torch.no_grad():
                print(epoch, model.module(validation).mean().item())
            save(model, f"{epoch}.pt", together=False)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
