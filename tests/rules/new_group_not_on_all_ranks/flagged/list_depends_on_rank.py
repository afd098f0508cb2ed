import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def pair_of(rank):
    ranks = [0, 1] if rank < 2 else [2, 3]
    return dist.new_group(ranks)  # expect: new-group-not-on-all-ranks


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    group = pair_of(rank)
    torch.manual_seed(rank)
    model = DDP(nn.Linear(12, 3), process_group=group)
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(150):
        x = torch.randn(24, 12)
        loss = (model(x) - x[:, 9:]).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if rank in (0, 2):
        torch.save(model.module.state_dict(), f"pair{rank // 2}.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
