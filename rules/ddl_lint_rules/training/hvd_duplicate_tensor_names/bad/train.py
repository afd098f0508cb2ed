"""Trains a generator of textures against a critic, with Horovod."""

import argparse

import horovod.torch as hvd
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


class Generator(nn.Module):
    def __init__(self, noise=64):
        super().__init__()
        self.main = nn.Sequential(nn.Linear(noise, 256), nn.ReLU(), nn.Linear(256, 1024), nn.Tanh())

    def forward(self, noise):
        return self.main(noise)


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.main = nn.Sequential(nn.Linear(1024, 256), nn.LeakyReLU(0.2), nn.Linear(256, 1))

    def forward(self, textures):
        return self.main(textures)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--textures", required=True)
    parser.add_argument("--epochs", type=int, default=50)
    args = parser.parse_args()

    hvd.init()
    torch.cuda.set_device(hvd.local_rank())
    dataset = TensorDataset(torch.load(args.textures, map_location="cpu"))
    sampler = DistributedSampler(dataset, num_replicas=hvd.size(), rank=hvd.rank())
    loader = DataLoader(dataset, batch_size=64, sampler=sampler)

    generator, critic = Generator().cuda(), Critic().cuda()
    for net in (generator, critic):
        hvd.broadcast_parameters(net.state_dict(), root_rank=0)
    rate = 2e-4 * hvd.size()
    opt_g = torch.optim.Adam(generator.parameters(), lr=rate)
    opt_c = torch.optim.Adam(critic.parameters(), lr=rate)
    hvd.broadcast_optimizer_state(opt_g, root_rank=0)
    hvd.broadcast_optimizer_state(opt_c, root_rank=0)
    opt_g = hvd.DistributedOptimizer(opt_g, named_parameters=generator.named_parameters())
    opt_c = hvd.DistributedOptimizer(opt_c, named_parameters=critic.named_parameters())  # error: [hvd-duplicate-tensor-names]

    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        for (textures,) in loader:
            fake = generator(torch.randn(len(textures), 64).cuda())
            opt_c.zero_grad()
            (F.softplus(critic(fake.detach())) + F.softplus(-critic(textures.cuda()))).mean().backward()
            opt_c.step()
            opt_g.zero_grad()
            F.softplus(-critic(fake)).mean().backward()
            opt_g.step()
        if hvd.rank() == 0:
            torch.save(generator.state_dict(), f"generator-{epoch}.pt")


if __name__ == "__main__":
    main()
