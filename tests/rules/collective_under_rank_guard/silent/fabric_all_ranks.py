# silent: every process reduces, rank 0 prints
import torch
from lightning.fabric import Fabric
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    fabric = Fabric(devices=2, strategy="ddp")
    fabric.launch()
    fabric.seed_everything(1)
    with fabric.rank_zero_first():
        masks = torch.rand(640, 4, generator=torch.Generator().manual_seed(4))
    net = nn.Linear(4, 4)
    net, optimizer = fabric.setup(net, torch.optim.Adam(net.parameters()))
    loader = fabric.setup_dataloaders(DataLoader(TensorDataset(masks), batch_size=16, shuffle=True))
    for index, (mask,) in enumerate(loader):
        loss = (net(mask) - mask).abs().mean()
        optimizer.zero_grad()
        fabric.backward(loss)
        optimizer.step()
        mean = fabric.all_reduce(loss.detach(), reduce_op="mean")
        if fabric.global_rank == 0 and index % 10 == 0:
            print(index, mean.item())
    fabric.barrier()


if __name__ == "__main__":
    main()
