import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    device = torch.device("cuda", local_rank)
    generator = torch.Generator().manual_seed(1)
    coins = torch.rand(5000, 10, generator=generator)
    data = TensorDataset(coins, coins.mean(1, keepdim=True))
    loader = DataLoader(data, batch_size=50, sampler=DistributedSampler(data), drop_last=True)
    torch.manual_seed(0)
    net = DDP(nn.Linear(10, 1).to(device), device_ids=[local_rank])
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(1, 16):  # expect: missing-set-epoch
        net.train()
        for coin, mean in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(coin.to(device)), mean.to(device)).backward()
            optimizer.step()
        if dist.get_rank() == 0:
            print("epoch", epoch)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
