"""The first CUDA use is a tensor factory with device="cuda"; the backend is chosen by an expression."""

import os

import torch
from torch import distributed, nn
from torch.nn.parallel import DistributedDataParallel


def main():
    distributed.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
    local_rank = int(os.environ["LOCAL_RANK"])
    counts = torch.zeros(2, device="cuda")  # expect: set-device-missing-before-nccl
    model = DistributedDataParallel(nn.Linear(9, 2).to(local_rank), device_ids=[local_rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(35):
        petal = torch.randn(18, 9, device=torch.device("cuda", local_rank))
        label = (petal.sum(dim=1) > 0).long()
        loss = nn.functional.cross_entropy(model(petal), label)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        counts += torch.bincount(label, minlength=2).to(counts.device)
    distributed.all_reduce(counts)
    if distributed.get_rank() == 0:
        print(counts.tolist())
    distributed.destroy_process_group()


if __name__ == "__main__":
    main()
