import horovod.torch as hvd
import torch
from torch import nn


def evaluate(model):
    model.eval()
    with torch.no_grad():
        score = model(torch.ones(3, 9).cuda()).mean().item()
    model.train()
    return score


def main():
    hvd.init()
    torch.cuda.set_device(hvd.local_rank())
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(9, 9), nn.BatchNorm1d(9), nn.Linear(9, 1)).cuda()
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    optimizer = hvd.DistributedOptimizer(
        torch.optim.Adam(model.parameters()), named_parameters=model.named_parameters()
    )
    generator = torch.Generator().manual_seed(hvd.rank())
    for epoch in range(5):
        for _ in range(20):
            optimizer.zero_grad()
            model(torch.rand(6, 9, generator=generator).cuda()).square().mean().backward()
            optimizer.step()
        if hvd.rank() == 0:  # the model has no wrapper: only the optimizer communicates
            print(epoch, evaluate(model))
            torch.save(model.state_dict(), "fossil.pt")
        hvd.barrier()


if __name__ == "__main__":
    main()
