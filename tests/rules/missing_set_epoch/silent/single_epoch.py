# silent: the data are read once; there is no second epoch to have another order
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    device = torch.device("cuda", local_rank)
    generator = torch.Generator().manual_seed(1)
    tokens = torch.randint(0, 500, (40_000, 17), generator=generator)
    data = TensorDataset(tokens[:, :-1], tokens[:, -1])
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=64, sampler=sampler)
    torch.manual_seed(0)
    net = DDP(nn.Sequential(nn.EmbeddingBag(500, 64), nn.Linear(64, 500)).to(device), device_ids=[local_rank])
    optimizer = torch.optim.AdamW(net.parameters(), lr=3e-4)
    for step, (context, following) in enumerate(loader):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(context.to(device)), following.to(device))
        loss.backward()
        optimizer.step()
        if step % 50 == 0 and dist.get_rank() == 0:
            print(step, loss.item())
    if dist.get_rank() == 0:
        torch.save(net.module.state_dict(), "one_pass.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
