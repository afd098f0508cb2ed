import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils import data as tud


def main():
    dist.init_process_group("gloo")
    generator = torch.Generator().manual_seed(7)
    moss = torch.rand(3100, 31, generator=generator)
    patches = tud.TensorDataset(moss[:, :30], moss[:, 30:])
    loader = tud.DataLoader(patches, batch_size=31, sampler=tud.DistributedSampler(patches))
    torch.manual_seed(0)
    net = DDP(nn.Linear(30, 1))
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(13):
        loader.set_epoch(epoch)  # expect: missing-set-epoch
        for patch, growth in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(patch), growth).backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
