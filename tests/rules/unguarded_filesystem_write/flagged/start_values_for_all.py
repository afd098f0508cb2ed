import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("gloo")
    net = nn.Linear(8, 8)
    torch.save(net.state_dict(), "start.pt")  # expect: unguarded-filesystem-write
    net.load_state_dict(torch.load("start.pt", map_location="cpu"))
    net = DDP(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for step in range(80):
        x = torch.rand(8, 8)
        loss = nn.functional.mse_loss(net(x), x.flip(1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    best = torch.save(net.module.state_dict(), "end.pt")  # expect: unguarded-filesystem-write
    dist.destroy_process_group()
    return best


if __name__ == "__main__":
    main()
