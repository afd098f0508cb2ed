import glob

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def resume(net):
    """Loads the newest weights on rank 0 and sends them to the others."""
    newest = None
    if dist.get_rank() == 0:
        found = sorted(glob.glob("crane_*.pt"))
        newest = found[-1] if found else None
    if newest is not None:  # expect: rank-guarded-value-steers-collective
        net.load_state_dict(torch.load(newest, map_location="cpu"))
        for parameter in net.parameters():
            dist.broadcast(parameter.data, src=0)


def main():
    dist.init_process_group("gloo")
    net = nn.Sequential(nn.Linear(5, 20), nn.ReLU(), nn.Linear(20, 5))
    resume(net)
    model = DDP(net)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    torch.manual_seed(dist.get_rank())
    for step in range(1000):
        x = torch.randn(8, 5)
        loss = (model(x) - x.cos()).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 250 == 249 and dist.get_rank() == 0:
            torch.save(net.state_dict(), f"crane_{step:05d}.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
