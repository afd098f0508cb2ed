# silent: the condition was decided on rank 0 and broadcast before it is read
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    model = DDP(nn.Linear(9, 9))
    optimizer = torch.optim.Adam(model.parameters())
    generator = torch.Generator().manual_seed(rank)
    best = float("inf")
    for epoch in range(30):
        for _ in range(10):
            beads = torch.rand(16, 9, generator=generator)
            loss = (model(beads) - beads).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        decision = [False]
        if rank == 0:
            decision = [loss.item() > best * 0.999]
            best = min(best, loss.item())
        dist.broadcast_object_list(decision, src=0)
        if decision[0]:
            mean = loss.detach().clone()
            dist.all_reduce(mean)
            break
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
