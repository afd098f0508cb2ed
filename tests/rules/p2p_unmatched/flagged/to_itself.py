import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def announce(step):
    """Tells which step was reached."""
    box = torch.tensor([float(step)])
    dist.send(box, dst=dist.get_rank())  # expect: p2p-unmatched


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(dist.get_rank())
    model = DDP(nn.Linear(3, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(100):
        x = torch.randn(10, 3)
        loss = (model(x).squeeze(1) - x.norm(dim=1)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 25 == 0:
            announce(step)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
