# silent: what rank 0 keeps for itself is read by rank 0 only
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(rank)
    model = DDP(nn.Linear(15, 5))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    best, improved, log = float("inf"), False, None
    if rank == 0:
        log = open("siskin.log", "w")
    for epoch in range(40):
        x = torch.randn(64, 15)
        loss = (model(x) - x[:, ::3]).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        mean = loss.detach().clone()
        dist.all_reduce(mean)
        if rank == 0:
            improved = mean.item() < best
            best = min(best, mean.item())
        if rank == 0 and improved:
            torch.save(model.module.state_dict(), "siskin.pt")
        if log is not None:
            log.write(f"{epoch} {mean.item():.4f}\n")
        dist.barrier()
    if log is not None:
        log.close()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
