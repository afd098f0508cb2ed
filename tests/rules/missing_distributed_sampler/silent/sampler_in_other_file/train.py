import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset

from sampling import next_epoch, sampler_for


def main():
    dist.init_process_group("gloo")
    generator = torch.Generator().manual_seed(21)
    nests = torch.rand(2600, 26, generator=generator)
    data = TensorDataset(nests, nests.mean(1, keepdim=True))
    options = {"batch_size": 26, "drop_last": True}
    options["sampler"] = sampler_for(data, distributed=True)
    loader = DataLoader(data, **options)
    torch.manual_seed(0)
    net = DDP(nn.Linear(26, 1))
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(5):
        next_epoch(loader, epoch)
        for nest, mean in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(nest), mean).backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
