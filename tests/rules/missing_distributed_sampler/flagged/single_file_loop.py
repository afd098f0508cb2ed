import os

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, Dataset


class Clicks(Dataset):
    def __init__(self, n):
        generator = torch.Generator().manual_seed(2)
        self.session = torch.rand(n, 18, generator=generator)
        self.bought = (self.session.sum(1) > 9).float()

    def __len__(self):
        return len(self.bought)

    def __getitem__(self, i):
        return self.session[i], self.bought[i]


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group(backend="nccl")
    torch.manual_seed(1)
    net = nn.Sequential(nn.Linear(18, 36), nn.ReLU(), nn.Linear(36, 1)).cuda(local_rank)
    net = DistributedDataParallel(net, device_ids=[local_rank])
    optimizer = torch.optim.Adam(net.parameters())
    clicks = Clicks(50_000)
    loader = DataLoader(clicks, batch_size=500, shuffle=True, num_workers=2)  # expect: missing-distributed-sampler
    for epoch in range(10):
        for session, bought in loader:
            session, bought = session.cuda(local_rank), bought.cuda(local_rank)
            optimizer.zero_grad()
            loss = nn.functional.binary_cross_entropy_with_logits(net(session).squeeze(1), bought)
            loss.backward()
            optimizer.step()
        if dist.get_rank() == 0:
            print(epoch, loss.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
