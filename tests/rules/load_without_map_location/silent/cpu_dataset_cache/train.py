import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset, DistributedSampler


class Patches(Dataset):
    def __init__(self, path):
        content = torch.load(path)
        self.patches = content["patches"]
        self.label = content["label"]

    def __len__(self):
        return len(self.label)

    def __getitem__(self, index):
        return self.patches[index], self.label[index]


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    data = Patches("patches.pt")
    sampler = DistributedSampler(data, shuffle=True)
    loader = DataLoader(data, batch_size=32, sampler=sampler, pin_memory=True)
    net = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Flatten(), nn.Linear(288, 2)).cuda(local_rank)
    model = DDP(net, device_ids=[local_rank])
    opt = torch.optim.SGD(model.parameters(), lr=0.02)
    for epoch in range(6):
        sampler.set_epoch(epoch)
        for patch, label in loader:
            opt.zero_grad()
            loss = nn.functional.cross_entropy(model(patch.cuda(local_rank)), label.cuda(local_rank))
            loss.backward()
            opt.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
