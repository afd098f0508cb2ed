# silent: no call in the loop needs the other ranks
import os
import time

import torch
import torch.distributed as dist
from torch import nn


def wait_for(path, seconds):
    end = time.time() + seconds
    while not os.path.exists(path):
        if time.time() > end:
            raise TimeoutError(path)
        time.sleep(1.0)


def warm_up(net, device):
    begin = time.time()
    for _ in range(1000):
        net(torch.randn(64, 32, device=device))
        if time.time() - begin > 10:
            break


def main():
    dist.init_process_group("nccl")
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    torch.cuda.set_device(device)
    net = nn.Linear(32, 32).to(device)
    if dist.get_rank() == 0:
        torch.save(net.state_dict(), "start.pt")
    wait_for("start.pt", 60)
    net.load_state_dict(torch.load("start.pt", map_location=device))
    warm_up(net, device)
    dist.barrier()
    total = torch.zeros(1, device=device)
    for _ in range(100):
        total += net(torch.randn(8, 32, device=device)).sum().detach()
    dist.all_reduce(total)
    print(total.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
