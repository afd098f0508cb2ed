import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Calibrator:
    """Shares the scale that rank 0 chose, and counts the samples seen."""

    def __init__(self):
        self.scale = torch.ones(1)
        self.seen = torch.zeros(1)

    def sync(self):
        if dist.get_rank() == 0:
            self.scale.mul_(0.9)
            dist.broadcast(self.scale, src=0)  # expect: collective-order-differs
            dist.all_reduce(self.seen)
        else:
            dist.all_reduce(self.seen)
            dist.broadcast(self.scale, src=0)


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(dist.get_rank())
    model = DDP(nn.Linear(10, 1))
    optimizer = torch.optim.Adam(model.parameters())
    calibrator = Calibrator()
    for epoch in range(10):
        for _ in range(20):
            x = torch.randn(8, 10)
            loss = (model(x).squeeze(1) * calibrator.scale - x[:, 0]).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            calibrator.seen += len(x)
        calibrator.sync()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
