import os

import timm
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("nccl")
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    model = DDP(timm.create_model("resnet18", num_classes=4).cuda(), device_ids=[local_rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for _ in range(100):
        rocks = torch.rand(8, 3, 64, 64, device="cuda")
        loss = nn.functional.cross_entropy(model(rocks), torch.zeros(8, dtype=torch.long, device="cuda"))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    if dist.get_rank() == 0:
        with torch.no_grad():
            print(model(torch.rand(1, 3, 64, 64, device="cuda")).argmax().item())  # expect: ddp-eval-on-rank0
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
