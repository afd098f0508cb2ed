import os

import torch
import torch.distributed as dist
import torch.nn as nn


def main():
    gpu = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(gpu)
    dist.init_process_group("nccl")
    device = torch.device("cuda", gpu)
    net = nn.TransformerEncoderLayer(d_model=32, nhead=4, batch_first=True)
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-4)
    net = nn.parallel.DistributedDataParallel(net, device_ids=[gpu])  # expect: ddp-device-ids-mismatch
    net.to(device)
    gen = torch.Generator().manual_seed(dist.get_rank())
    for _ in range(100):
        x = torch.randn(8, 20, 32, generator=gen).to(device)
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), x).backward()
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
