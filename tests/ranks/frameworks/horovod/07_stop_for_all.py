import horovod.torch as hvd
import torch
from torch import nn


class Patience:
    def __init__(self, rounds):
        self.rounds, self.best, self.bad = rounds, float("inf"), 0

    def over(self, loss):
        self.bad = 0 if loss < self.best else self.bad + 1
        self.best = min(loss, self.best)
        return self.bad > self.rounds


def main():
    hvd.init()
    torch.cuda.set_device(hvd.local_rank())
    torch.manual_seed(0)
    model = nn.Linear(6, 1).cuda()
    optimizer = hvd.DistributedOptimizer(
        torch.optim.SGD(model.parameters(), lr=0.1), named_parameters=model.named_parameters()
    )
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    generator = torch.Generator().manual_seed(hvd.rank())
    patience = Patience(5)
    for epoch in range(100):
        optimizer.zero_grad()
        loss = model(torch.rand(8, 6, generator=generator).cuda()).square().mean()
        loss.backward()
        optimizer.step()
        stop = False
        if hvd.rank() == 0:
            stop = patience.over(loss.item())
        stop = hvd.broadcast_object(stop, root_rank=0, name="stop")
        if stop:
            break


if __name__ == "__main__":
    main()
