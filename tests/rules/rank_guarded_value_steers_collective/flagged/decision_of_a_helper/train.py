import torch
import torch.distributed as dist
from decide import Patience, time_to_stop
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(dist.get_rank())
    model = DDP(nn.Linear(9, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
    patience = Patience(5)
    for epoch in range(80):
        for _ in range(15):
            x = torch.randn(16, 9)
            loss = (model(x).squeeze(1) - x.mean(1)).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if time_to_stop(patience, loss.item()):  # error: [rank-guarded-value-steers-collective]
            print("stopped at epoch", epoch)
            break
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
