import os

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    waves = TensorDataset(torch.randn(4096, 48), torch.randn(4096, 1))
    sampler = DistributedSampler(waves)
    model = FSDP(nn.Sequential(nn.Linear(48, 256), nn.GELU(), nn.Linear(256, 1)), device_id=local_rank)  # related: [fsdp-plain-grad-scaler]
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    scaler = torch.amp.GradScaler("cuda")  # error: [fsdp-plain-grad-scaler]
    for epoch in range(5):
        sampler.set_epoch(epoch)
        for wave, height in DataLoader(waves, batch_size=64, sampler=sampler):
            with torch.autocast("cuda", dtype=torch.float16):
                loss = nn.functional.mse_loss(model(wave.cuda()), height.cuda())
            scaler.scale(loss).backward()  # related: [fsdp-plain-grad-scaler]
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
