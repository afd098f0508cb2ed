# silent: xm.save writes on the master ordinal only
import torch
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl
import torch_xla.distributed.xla_multiprocessing as xmp
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def worker(index, epochs):
    device = xm.xla_device()
    gen = torch.Generator().manual_seed(50)
    data = TensorDataset(torch.rand(800, 25, generator=gen), torch.randint(0, 4, (800,), generator=gen))
    sampler = DistributedSampler(data, num_replicas=xm.xrt_world_size(), rank=xm.get_ordinal(), shuffle=True)
    loader = DataLoader(data, batch_size=20, sampler=sampler)
    net = nn.Linear(25, 4).to(device)
    opt = torch.optim.SGD(net.parameters(), lr=0.05)
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        for x, y in pl.MpDeviceLoader(loader, device):
            opt.zero_grad()
            nn.functional.cross_entropy(net(x), y).backward()
            xm.optimizer_step(opt)
        xm.save(net.state_dict(), "quarters.pt")


if __name__ == "__main__":
    xmp.spawn(worker, args=(5,))
