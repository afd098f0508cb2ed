import os

import torch
import torch.distributed as dist
import torchvision
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def is_main_process():
    return dist.get_rank() == 0


def main():
    dist.init_process_group("nccl")
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    net = torchvision.models.resnet18(num_classes=20).cuda()
    net_parallel = DistributedDataParallel(net, device_ids=[local_rank])
    optimizer = torch.optim.SGD(net_parallel.parameters(), lr=0.1, momentum=0.9)
    for step in range(1000):
        shells = torch.rand(16, 3, 64, 64, device="cuda")
        loss = nn.functional.cross_entropy(net_parallel(shells), torch.zeros(16, dtype=torch.long, device="cuda"))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    net_parallel.eval()
    if is_main_process():
        guesses = [net_parallel(torch.rand(1, 3, 64, 64, device="cuda")).argmax().item() for _ in range(5)]  # expect: ddp-eval-on-rank0
        print(guesses)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
