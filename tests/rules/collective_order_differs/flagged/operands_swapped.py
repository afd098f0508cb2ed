import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def totals(rank, loss, hits):
    if rank == 0:
        dist.all_reduce(loss)  # expect: collective-order-differs
        dist.all_reduce(hits)
        print(f"loss {loss.item():.4f}, hits {int(hits)}")
    else:
        dist.all_reduce(hits)
        dist.all_reduce(loss)
    return loss, hits


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(rank)
    model = DDP(nn.Linear(6, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        x = torch.randn(32, 6)
        y = (x.sum(1) > 0).long()
        logits = model(x)
        loss = nn.functional.cross_entropy(logits, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        totals(rank, loss.detach(), (logits.argmax(1) == y).sum().float())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
