# silent: the arm that leaves makes the same collectives before it goes
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def collect(score, rank, world_size):
    """The score of every rank on rank 0, None elsewhere."""
    if rank != 0:
        dist.gather(score, dst=0)
        dist.barrier()
        return None
    scores = [torch.zeros_like(score) for _ in range(world_size)]
    dist.gather(score, scores, dst=0)
    with open("scores.txt", "a") as file:
        file.write(" ".join(f"{value.item():.4f}" for value in scores) + "\n")
    dist.barrier()
    return scores


def main():
    dist.init_process_group("gloo")
    rank, world_size = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(rank)
    model = DDP(nn.Linear(3, 9))
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(6):
        for _ in range(20):
            x = torch.randn(12, 3)
            loss = (model(x).view(12, 3, 3).sum(2) - x).abs().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        collect(loss.detach(), rank, world_size)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
