# silent: look-alike, init_process_group is told the device, and the blocks choose it
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def main():
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl", device_id=device)
    with torch.cuda.device(device):
        model = DistributedDataParallel(nn.Linear(10, 10).cuda())
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for _ in range(55):
            cork = torch.randn(11, 10, device="cuda")
            loss = (model(cork) - cork.square()).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        dist.barrier()
    if dist.get_rank() == 0:
        print(loss.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
