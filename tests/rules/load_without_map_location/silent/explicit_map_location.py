# silent: every load says where the tensors go: string, dict, function, position, partial or keyword dictionary
import os
from functools import partial

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

load_to_cpu = partial(torch.load, map_location="cpu")


class Denoiser(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.enc = nn.Linear(128, width)
        self.dec = nn.Linear(width, 128)

    def forward(self, x):
        return self.dec(torch.relu(self.enc(x)))


def read_any(path, **options):
    return torch.load(path, **options)


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group(backend="nccl")
    device = torch.device(f"cuda:{local_rank}")
    net = Denoiser().to(device)
    net.enc.load_state_dict(torch.load("enc.pt", {"cuda:0": f"cuda:{local_rank}"}))
    net.dec.load_state_dict(torch.load("dec.pt", map_location=lambda storage, location: storage, weights_only=True))
    opt = torch.optim.Adam(net.parameters())
    opt.load_state_dict(load_to_cpu("opt.pt"))
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=10)
    scheduler.load_state_dict(read_any("sched.pt", map_location=device))
    net = DDP(net, device_ids=[local_rank])
    clips = TensorDataset(torch.randn(2000, 128, generator=torch.Generator().manual_seed(4)))
    sampler = DistributedSampler(clips, seed=8)
    for epoch in range(10):
        sampler.set_epoch(epoch)
        for (clip,) in DataLoader(clips, batch_size=50, sampler=sampler):
            clip = clip.to(device)
            opt.zero_grad()
            (net(clip) - clip).abs().mean().backward()
            opt.step()
        scheduler.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
