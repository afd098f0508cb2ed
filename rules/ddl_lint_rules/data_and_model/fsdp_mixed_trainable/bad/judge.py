import os

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


class Judge(nn.Module):
    def __init__(self):
        super().__init__()
        self.ear = nn.Sequential(nn.Linear(48, 256), nn.GELU(), nn.Linear(256, 256))
        self.verdict = nn.Linear(256, 5)  # related: [fsdp-mixed-trainable]

    def forward(self, sound):
        return self.verdict(self.ear(sound))


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    sounds = TensorDataset(torch.randn(4096, 48), torch.randint(0, 5, (4096,)))
    sampler = DistributedSampler(sounds)
    judge = Judge()
    for weight in judge.ear.parameters():
        weight.requires_grad = False  # related: [fsdp-mixed-trainable]
    model = FSDP(judge, device_id=local_rank)  # error: [fsdp-mixed-trainable]
    optimizer = torch.optim.AdamW([weight for weight in model.parameters() if weight.requires_grad], lr=1e-3)
    for epoch in range(5):
        sampler.set_epoch(epoch)
        for sound, mark in DataLoader(sounds, batch_size=64, sampler=sampler):
            nn.functional.cross_entropy(model(sound.cuda()), mark.cuda()).backward()
            optimizer.step()
            optimizer.zero_grad()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
