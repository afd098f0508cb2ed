# silent: alternatives by flag
import argparse

import horovod.torch as hvd
import torch
import torch.nn as nn


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--horovod", action="store_true")
    args = parser.parse_args()
    model = nn.Linear(8, 1)
    if args.horovod:
        hvd.init()
        torch.cuda.set_device(hvd.local_rank())
        model.cuda()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01 * hvd.size())
        optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
        hvd.broadcast_parameters(model.state_dict(), root_rank=0)
        hvd.broadcast_optimizer_state(optimizer, root_rank=0)
        generator = torch.Generator().manual_seed(hvd.rank())
    else:
        model = nn.DataParallel(model.cuda())
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
        generator = torch.Generator().manual_seed(0)
    for _ in range(100):
        optimizer.zero_grad()
        model(torch.randn(16, 8, generator=generator).cuda()).mean().backward()
        optimizer.step()


if __name__ == "__main__":
    main()
