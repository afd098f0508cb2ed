import argparse

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch-size", type=int, default=28)
    parser.add_argument("--epochs", type=int, default=7)
    args = parser.parse_args()
    dist.init_process_group("gloo")
    generator = torch.Generator().manual_seed(5)
    digit = torch.rand(2800, 28, generator=generator)
    data = TensorDataset(digit, digit.argmax(1))
    sampler = DistributedSampler(data)
    train_kwargs = {"batch_size": args.batch_size, "shuffle": True, "drop_last": True}
    loader = DataLoader(data, sampler=sampler, **train_kwargs)  # expect: shuffle-with-sampler
    torch.manual_seed(0)
    net = DDP(nn.Linear(28, 28))
    optimizer = torch.optim.Adadelta(net.parameters())
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        for image, label in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(net(image), label).backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
