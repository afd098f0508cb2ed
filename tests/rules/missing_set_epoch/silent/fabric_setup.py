# silent: Fabric's loader wrapper calls set_epoch when it is iterated
import torch
from lightning.fabric import Fabric
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    fabric = Fabric(devices=4, strategy="ddp")
    fabric.launch()
    generator = torch.Generator().manual_seed(5)
    lamps = torch.rand(2000, 15, generator=generator)
    data = TensorDataset(lamps, lamps.sum(1, keepdim=True))
    sampler = DistributedSampler(data, num_replicas=fabric.world_size, rank=fabric.global_rank)
    loader = fabric.setup_dataloaders(DataLoader(data, batch_size=20, sampler=sampler))
    torch.manual_seed(0)
    net = nn.Linear(15, 1)
    optimizer = torch.optim.Adam(net.parameters())
    net, optimizer = fabric.setup(net, optimizer)
    for epoch in range(6):
        for lamp, total in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(net(lamp), total)
            fabric.backward(loss)
            optimizer.step()
        fabric.print(epoch, loss.item())


if __name__ == "__main__":
    main()
