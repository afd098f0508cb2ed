# silent: both arms make the same collectives in the same order
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def exchange(rank, loss, lengths):
    if rank == 0:
        dist.all_reduce(loss)
        dist.all_reduce(lengths)
        dist.broadcast(lengths, src=0)
        print(f"{loss.item():.4f} {lengths.tolist()}")
    else:
        dist.all_reduce(loss)
        dist.all_reduce(lengths)
        dist.broadcast(lengths, src=0)


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(rank)
    model = DDP(nn.Linear(4, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(50):
        x = torch.randn(10, 4)
        loss = model(x).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        exchange(rank, loss.detach(), torch.tensor([10.0, 4.0]))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
