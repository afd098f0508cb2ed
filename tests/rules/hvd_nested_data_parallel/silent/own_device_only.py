# silent: the wrapper is told the one device of the process
import horovod.torch as hvd
import torch
import torch.nn as nn


def main():
    hvd.init()
    torch.cuda.set_device(hvd.local_rank())
    model = nn.DataParallel(nn.Linear(8, 1).cuda(), device_ids=[hvd.local_rank()])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01 * hvd.size())
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    hvd.broadcast_optimizer_state(optimizer, root_rank=0)
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    generator = torch.Generator().manual_seed(hvd.rank())
    for _ in range(100):
        optimizer.zero_grad()
        model(torch.randn(16, 8, generator=generator).cuda()).mean().backward()
        optimizer.step()


if __name__ == "__main__":
    main()
