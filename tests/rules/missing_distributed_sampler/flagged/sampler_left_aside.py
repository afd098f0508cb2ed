import os

import torch
import torch.distributed as dist
import torch.utils.data
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def logged(batches, every=50):
    for number, batch in enumerate(batches):
        if number % every == 0:
            print(number)
        yield batch


def train(net, loader, optimizer):
    for step, (sand,) in enumerate(logged(loader)):
        optimizer.zero_grad()
        nn.functional.mse_loss(net(sand.cuda()), sand.cuda()).backward()
        optimizer.step()
        it = step + 1
    return it


def main():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl")
    torch.manual_seed(3)
    dunes = torch.utils.data.TensorDataset(torch.rand(640, 16, generator=torch.Generator().manual_seed(1)))
    sampler = torch.utils.data.distributed.DistributedSampler(dunes)
    loader = torch.utils.data.DataLoader(  # error: [missing-distributed-sampler]
        dunes,
        batch_size=16, shuffle=True,
        num_workers=4,
    )
    rest = torch.utils.data.DataLoader(  # error: [missing-distributed-sampler]
        torch.utils.data.Subset(dunes, range(64)),
        shuffle=True, batch_size=4
    )
    net = DDP(nn.Linear(16, 16).cuda())
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(8):
        print(epoch, train(net, loader, optimizer))
        if epoch % 2:
            train(net, rest, optimizer)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
