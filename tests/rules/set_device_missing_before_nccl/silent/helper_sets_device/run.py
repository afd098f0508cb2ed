# silent: look-alike, set_device stands in a helper of another file
import torch
import torch.distributed as dist
from nodes import environment
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def main():
    with environment() as place:
        model = DistributedDataParallel(nn.Linear(21, 3).cuda(), device_ids=[place.local_rank])
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for _ in range(70):
            amber = torch.randn(21, 21).cuda()
            loss = nn.functional.cross_entropy(model(amber), amber[:, :3].argmax(dim=1))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        dist.barrier()
        if place.rank == 0:
            torch.save(model.module.state_dict(), "amber.pt")


if __name__ == "__main__":
    main()
