import torch
import torch.distributed as dist
import torch.utils.data as tud
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

from samplers import sharding


def main():
    dist.init_process_group("gloo")
    generator = torch.Generator().manual_seed(9)
    knots = torch.randn(5100, 17, generator=generator)
    data = tud.TensorDataset(knots[:, :16], knots[:, 16:])
    sampler = sharding(data, seed=12)
    loader = tud.DataLoader(data, 51, True, sampler)  # error: [shuffle-with-sampler]
    torch.manual_seed(0)
    net = DDP(nn.Linear(16, 1))
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(7):
        sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
