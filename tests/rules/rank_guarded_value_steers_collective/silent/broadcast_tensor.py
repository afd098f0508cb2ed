# silent: the decision lies in a tensor that is broadcast
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Trainer:
    def __init__(self):
        self.rank = dist.get_rank()
        self.flag = torch.zeros(1, dtype=torch.int64)
        self.model = DDP(nn.Linear(12, 12))
        self.optimizer = torch.optim.Adam(self.model.parameters())

    def decide(self, loss):
        if self.rank == 0:
            self.flag.fill_(int(loss < 1e-3))
        dist.broadcast(self.flag, src=0)
        return bool(self.flag.item())

    def fit(self):
        for _ in range(1000):
            x = torch.randn(16, 12)
            loss = (self.model(x) - x).pow(2).mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            if self.decide(loss.item()):
                break


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(dist.get_rank())
    Trainer().fit()
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
