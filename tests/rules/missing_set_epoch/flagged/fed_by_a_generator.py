import time

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


class Clock:
    def watch(self, batches, every):
        start = time.time()
        for number, batch in enumerate(batches):
            yield batch
            if number % every == 0:
                print(time.time() - start)


def train_epoch(net, loader, optimizer):
    for number, (crab, width) in enumerate(Clock().watch(loader, 10)):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(net(crab), width)
        loss.backward()
        optimizer.step()
        if number == 5:
            print(loss.item())


def main(epochs=12):
    dist.init_process_group("gloo")
    generator = torch.Generator().manual_seed(17)
    crabs = torch.rand(2200, 22, generator=generator)
    data = TensorDataset(crabs, crabs.mean(1, keepdim=True))
    loader = DataLoader(data, batch_size=22, sampler=DistributedSampler(data))
    torch.manual_seed(0)
    net = DDP(nn.Linear(22, 1))
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(1, epochs + 1):  # expect: missing-set-epoch
        train_epoch(net, loader, optimizer)
        print("epoch", epoch)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
