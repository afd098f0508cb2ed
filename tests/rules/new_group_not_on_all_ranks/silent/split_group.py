# silent: split_group is called by all ranks with the lists of all groups
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    device = torch.device("cuda", local_rank)
    torch.cuda.set_device(device)
    dist.init_process_group("nccl", device_id=device)
    world_size = dist.get_world_size()
    halves = [list(range(world_size // 2)), list(range(world_size // 2, world_size))]
    half = dist.split_group(split_ranks=halves)
    torch.manual_seed(dist.get_rank())
    model = DDP(nn.Linear(32, 4).to(device), device_ids=[local_rank])
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(90):
        x = torch.randn(16, 32, device=device)
        loss = nn.functional.cross_entropy(model(x), x[:, :4].argmax(1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    score = loss.detach()
    dist.all_reduce(score, group=half)
    print(dist.get_rank(), score.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
