"""A module constant asks for the rank before main() has started the group."""

import logging

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

RANK = dist.get_rank()  # expect: missing-init-process-group
logger = logging.getLogger(__name__)
logger.setLevel(logging.INFO if RANK == 0 else logging.ERROR)


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(RANK)
    model = DDP(nn.Linear(10, 4))
    optimizer = torch.optim.Adam(model.parameters())
    for step in range(60):
        leaf = torch.randn(24, 10)
        loss = nn.functional.cross_entropy(model(leaf), leaf[:, :4].argmax(dim=1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        logger.info("step %d loss %.4f", step, loss.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
