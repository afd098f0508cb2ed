import os
import sys

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader

from corpus import Poems


def main(folder):
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    device = torch.device("cuda", local_rank)
    poems = Poems(folder, dist.get_rank(), dist.get_world_size())
    loader = DataLoader(poems, batch_size=4, shuffle=True)
    torch.manual_seed(0)
    net = nn.Sequential(nn.Embedding(128, 64), nn.Linear(64, 128)).to(device)
    net = DDP(net, device_ids=[local_rank])
    optimizer = torch.optim.AdamW(net.parameters())
    for epoch in range(10):
        for before, after in loader:
            optimizer.zero_grad()
            logits = net(before.to(device))
            loss = nn.functional.cross_entropy(logits.flatten(0, 1), after.to(device).flatten())
            loss.backward()
            optimizer.step()
        if dist.get_rank() == 0:
            print(f"epoch {epoch}: {loss.item():.3f}")
            torch.save(net.module.state_dict(), "poems.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main(sys.argv[1])
