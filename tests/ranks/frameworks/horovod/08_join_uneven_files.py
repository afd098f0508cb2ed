import horovod.torch as hvd
import torch
from torch import nn


def main():
    hvd.init()
    torch.cuda.set_device(hvd.local_rank())
    torch.manual_seed(0)
    model = nn.Linear(4, 4).cuda()
    optimizer = hvd.DistributedOptimizer(
        torch.optim.SGD(model.parameters(), lr=0.1), named_parameters=model.named_parameters()
    )
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    generator = torch.Generator().manual_seed(0)
    pieces = [torch.rand(8, 4, generator=generator) for _ in range(101)]
    for piece in pieces[hvd.rank() :: hvd.size()]:
        optimizer.zero_grad()
        model(piece.cuda()).square().mean().backward()
        optimizer.step()
    last = hvd.join()
    if hvd.rank() == 0:
        print("rank", last, "had the most pieces")


if __name__ == "__main__":
    main()
