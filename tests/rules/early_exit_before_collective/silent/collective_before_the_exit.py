# silent: the collectives come first, then the other ranks skip what only rank 0 does
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Meter:
    def __init__(self):
        self.total = torch.zeros(2)

    def add(self, value, count):
        self.total += torch.tensor([value * count, float(count)])

    def report(self, name):
        total = self.total.clone()
        dist.all_reduce(total)
        self.total.zero_()
        if dist.get_rank() != 0:
            return
        print(f"{name}: {(total[0] / total[1]).item():.4f}")


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(rank)
    model = DDP(nn.Linear(13, 4))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.3)
    meter = Meter()
    for epoch in range(7):
        for _ in range(30):
            x = torch.randn(16, 13)
            loss = nn.functional.cross_entropy(model(x), x[:, :4].argmax(1))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            meter.add(loss.item(), len(x))
        meter.report(f"epoch {epoch}")
        dist.barrier()
        if rank != 0:
            continue
        torch.save(model.module.state_dict(), f"shell{epoch}.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
