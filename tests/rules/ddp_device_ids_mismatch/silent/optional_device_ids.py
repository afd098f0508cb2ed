# silent: device_ids is None on the CPU
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    cuda = torch.cuda.is_available()
    local_rank = int(os.environ["LOCAL_RANK"])
    if cuda:
        torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl" if cuda else "gloo")
    device = torch.device("cuda", local_rank) if cuda else torch.device("cpu")
    student = nn.Linear(19, 4)
    if cuda:
        student = student.cuda(local_rank)
    student = DDP(student, device_ids=[local_rank] if cuda else None)
    ids = [local_rank] if cuda else None
    critic = DDP(nn.Linear(4, 1).to(device), device_ids=ids, output_device=local_rank if cuda else None)
    judge = nn.Linear(4, 1)
    judge = DDP(judge.to(device), device_ids=None)
    gen = torch.Generator().manual_seed(dist.get_rank())
    opt = torch.optim.Adam([*student.parameters(), *critic.parameters(), *judge.parameters()])
    for _ in range(100):
        x = torch.randn(16, 19, generator=gen).to(device)
        hidden = student(x)
        opt.zero_grad()
        (critic(hidden) + judge(hidden) - x.sum(1, keepdim=True)).square().mean().backward()
        opt.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
