# silent: the global batch is kept
import argparse

import horovod.torch as hvd
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def make_optimizer(model, args):
    inner = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    hvd.broadcast_optimizer_state(inner, root_rank=0)
    return hvd.DistributedOptimizer(inner, named_parameters=model.named_parameters())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=0.1)
    args = parser.parse_args()
    hvd.init()
    torch.cuda.set_device(hvd.local_rank())
    dataset = TensorDataset(torch.zeros(1000, 8), torch.zeros(1000, 1))
    sampler = DistributedSampler(dataset, num_replicas=hvd.size(), rank=hvd.rank())
    loader = DataLoader(dataset, batch_size=32 // hvd.size(), sampler=sampler)
    model = torch.nn.Linear(8, 1).cuda()
    optimizer = make_optimizer(model, args)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 10)
    for epoch in range(30):
        sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            F.mse_loss(model(x.cuda()), y.cuda()).backward()
            optimizer.step()
        scheduler.step()


if __name__ == "__main__":
    main()
