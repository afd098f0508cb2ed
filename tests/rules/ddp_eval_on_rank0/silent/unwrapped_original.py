# silent: the guarded evaluation calls the original module, which was never wrapped in place
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Sonar(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(9)
        self.out = nn.Linear(9, 1)

    def forward(self, pings):
        return self.out(self.norm(pings))


class Trainer:
    def __init__(self):
        self.rank = dist.get_rank()
        self.net = Sonar()
        self.net_without_ddp = self.net
        self.net = DDP(self.net)
        self.optimizer = torch.optim.Adam(self.net.parameters())

    def run(self):
        generator = torch.Generator().manual_seed(self.rank)
        for _ in range(100):
            loss = self.net(torch.rand(16, 9, generator=generator)).square().mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
        if self.rank == 0:
            self.net_without_ddp.eval()
            with torch.no_grad():
                print(self.net_without_ddp(torch.zeros(1, 9)).item())


def main():
    dist.init_process_group("gloo")
    Trainer().run()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
