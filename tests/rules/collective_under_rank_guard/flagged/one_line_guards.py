import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(rank)
    model = DDP(nn.Linear(3, 3))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(50):
        finches = torch.rand(8, 3)
        loss = (model(finches) - finches.flip(1)).abs().mean()
        optimizer.zero_grad(); loss.backward(); optimizer.step()
        if rank == 0 and step == 9: print("warm"); dist.barrier()  # expect: collective-under-rank-guard
    if rank == 0: torch.save(model.module.state_dict(), "finches.pt"); dist.barrier()  # expect: collective-under-rank-guard
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
