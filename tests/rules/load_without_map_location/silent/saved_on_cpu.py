# silent: this project writes its checkpoints from tensors that were moved to the CPU
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

PATH = "tides.pt"


def tides():
    hours = torch.arange(5000, dtype=torch.float32)
    height = torch.sin(hours / 6.2) + 0.4 * torch.sin(hours / 5.9)
    windows = height.unfold(0, 25, 1).contiguous()
    return TensorDataset(windows[:, :24], windows[:, 24:])


def store(module):
    torch.save({name: value.cpu() for name, value in module.state_dict().items()}, PATH)


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    net = nn.Sequential(nn.Linear(24, 48), nn.Tanh(), nn.Linear(48, 1)).cuda(local_rank)
    if os.path.exists(PATH):
        net.load_state_dict(torch.load(PATH))
    ddp = DDP(net, device_ids=[local_rank])
    data = tides()
    sampler = DistributedSampler(data, shuffle=True)
    loader = DataLoader(data, batch_size=40, sampler=sampler)
    opt = torch.optim.Adam(ddp.parameters(), lr=1e-3)
    for epoch in range(4):
        sampler.set_epoch(epoch)
        for past, following in loader:
            opt.zero_grad()
            nn.functional.mse_loss(ddp(past.cuda(local_rank)), following.cuda(local_rank)).backward()
            opt.step()
    if dist.get_rank() == 0:
        store(ddp.module)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
