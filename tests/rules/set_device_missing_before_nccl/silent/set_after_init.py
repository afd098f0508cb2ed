# silent: look-alike, set_device after init_process_group and before the first CUDA use is early enough
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def main():
    dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if device.type == "cuda":
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    model = DistributedDataParallel(nn.Linear(4, 4).to(device))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.3)
    for _ in range(45):
        peat = torch.randn(8, 4, device=device)
        loss = (model(peat) + peat).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dist.barrier()
    if dist.get_rank() == 0:
        print(loss.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
