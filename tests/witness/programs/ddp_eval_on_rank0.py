# witness: hangs
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    model = DDP(nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4), nn.Linear(4, 1)))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(2):
        model.train()
        model(torch.ones(8, 4) * dist.get_rank()).mean().backward()
        optimizer.step()
        optimizer.zero_grad()
        if dist.get_rank() == 0:
            model.eval()
            with torch.no_grad():
                print("held out", model(torch.ones(2, 4)).mean().item())
        dist.barrier()
    print("result:", [p.sum().item() for p in model.parameters()])
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
