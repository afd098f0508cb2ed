import sys

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main(lr):
    torch.save(lr, "rate.pt")  # expect: unguarded-filesystem-write
    dist.init_process_group("gloo")
    net = DDP(nn.Linear(7, 7))
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    for step in range(70):
        x = torch.rand(7, 7)
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), x.flip(1)).backward()
        optimizer.step()
        with open("step.txt", "w") as file:  # expect: unguarded-filesystem-write
            if step == 50:
                break
            file.write(str(step))
    dist.destroy_process_group()


if __name__ == "__main__":
    main(float(sys.argv[1]))
