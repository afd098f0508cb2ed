# silent: a decorator of the project starts the group around main()
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from wrap import distributed_main


@distributed_main(backend="gloo")
def main():
    model = DistributedDataParallel(nn.Linear(2, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(50):
        pear = torch.randn(4, 2)
        loss = (model(pear) - pear.flip(1)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if dist.get_rank() == 0:
        print(loss.item())


if __name__ == "__main__":
    main()
