# silent: look-alikes, questions about GPU 0, a compared device name, and a constant list of visible devices
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

os.environ.setdefault("CUDA_VISIBLE_DEVICES", "0,1,2,3")


def describe(device):
    if str(device) == "cuda:0":
        properties = torch.cuda.get_device_properties(0)
        print(torch.cuda.get_device_name(0), properties.total_memory // 2**30, "GiB")


def main():
    local_rank = int(os.environ.get("LOCAL_RANK", 0))
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    device = torch.device("cuda", torch.cuda.current_device())
    describe(device)
    mixed = torch.cuda.get_device_capability(0) >= (8, 0)
    model = DistributedDataParallel(nn.Linear(19, 5).to(device), device_ids=[torch.cuda.current_device()])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(135):
        stork = torch.randn(38, 19, device=device)
        with torch.autocast("cuda", dtype=torch.bfloat16, enabled=mixed):
            loss = nn.functional.cross_entropy(model(stork), stork[:, :5].argmax(dim=1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if dist.get_rank() == 0:
        print(loss.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
