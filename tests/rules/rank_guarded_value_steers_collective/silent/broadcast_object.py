# silent: the decision of rank 0 is broadcast as an object before it is read
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(rank)
    model = DDP(nn.Linear(6, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    best, waited = float("inf"), 0
    for _ in range(100):
        for _ in range(20):
            x = torch.randn(16, 6)
            loss = (model(x).squeeze(1) - x.sum(1)).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        stop = False
        if rank == 0:
            waited = 0 if loss.item() < best else waited + 1
            best = min(best, loss.item())
            stop = waited >= 4
        box = [stop if rank == 0 else None]
        dist.broadcast_object_list(box, src=0)
        if rank != 0:
            stop = box[0]
        if stop:
            break
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
