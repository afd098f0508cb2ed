# silent: the list hides a frozen teacher from the module, on purpose
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

class Student(nn.Module):
    def __init__(self, width, teacher):
        super().__init__()
        self.first = nn.Linear(width, width)
        self.teacher = [teacher]

    def forward(self, x):
        with torch.no_grad():
            wanted = self.teacher[0](x)
        return self.first(x) - wanted


def teacher():
    made = nn.Linear(16, 16).cuda().eval()
    made.load_state_dict(torch.load("teacher.pt", map_location="cuda"))
    return made.requires_grad_(False)


def main():
    dist.init_process_group("nccl")
    device = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(device)
    torch.manual_seed(0)
    model = DDP(Student(16, teacher()).to(device), device_ids=[device])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(100):
        loss = model(torch.rand(8, 16, device=device)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
