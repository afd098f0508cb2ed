import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def share_threshold(threshold):
    if dist.get_rank() == 0:
        threshold.fill_(0.25)
        dist.broadcast(threshold, src=0)  # expect: collective-order-differs
    else:
        dist.broadcast(threshold, src=1)
    return threshold


def main():
    dist.init_process_group("gloo")
    threshold = share_threshold(torch.zeros(1))
    torch.manual_seed(dist.get_rank())
    model = DDP(nn.Linear(12, 12))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for _ in range(200):
        x = torch.rand(16, 12)
        loss = (model(x) - (x > threshold).float()).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if dist.get_rank() == 0:
        torch.save(model.module.state_dict(), "threshold.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
