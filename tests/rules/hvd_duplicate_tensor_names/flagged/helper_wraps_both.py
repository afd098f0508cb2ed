import horovod.torch as hvd
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(8, 8)
        self.head = nn.Linear(8, 1)

    def forward(self, x):
        return self.head(self.encoder(x))


class Trainer:
    def __init__(self):
        self.actor = Net().cuda()
        self.critic = Net().cuda()
        self.actor_optimizer = self.wrap(self.actor)
        self.critic_optimizer = self.wrap(self.critic)

    def wrap(self, net):
        hvd.broadcast_parameters(net.state_dict(), root_rank=0)
        inner = torch.optim.Adam(net.parameters(), lr=1e-3 * hvd.size())
        hvd.broadcast_optimizer_state(inner, root_rank=0)
        return hvd.DistributedOptimizer(inner, net.named_parameters())  # expect: hvd-duplicate-tensor-names

    def step(self, x):
        for optimizer in (self.actor_optimizer, self.critic_optimizer):
            optimizer.zero_grad()
        (self.actor(x) - self.critic(x)).pow(2).mean().backward()
        self.actor_optimizer.step()
        self.critic_optimizer.step()


def main():
    hvd.init()
    torch.cuda.set_device(hvd.local_rank())
    generator = torch.Generator().manual_seed(hvd.rank())
    trainer = Trainer()
    for _ in range(1000):
        trainer.step(torch.randn(16, 8, generator=generator).cuda())


if __name__ == "__main__":
    main()
