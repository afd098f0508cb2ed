"""Steps with a closure."""

import argparse

import horovod.torch as hvd
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--table", required=True)
    parser.add_argument("--passes", type=int, default=4)
    parser.add_argument("--keep-every", type=int, default=100)
    args = parser.parse_args()
    hvd.init()
    torch.cuda.set_device(hvd.local_rank())
    data = TensorDataset(*torch.load(args.table, map_location="cpu"))
    sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
    loader = DataLoader(data, batch_size=32, sampler=sampler)
    model = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 1)).cuda()
    criterion = nn.MSELoss()
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    optimizer = torch.optim.LBFGS(model.parameters())
    hvd.broadcast_optimizer_state(optimizer, root_rank=0)  # expect: hvd-bad-broadcast-or-name-args
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    for epoch in range(20):
        sampler.set_epoch(epoch)
        for inputs, targets in loader:

            def closure():
                optimizer.zero_grad()
                loss = criterion(model(inputs.cuda()), targets.cuda())
                loss.backward()
                return loss

            optimizer.step(closure)  # expect: hvd-bad-broadcast-or-name-args


if __name__ == "__main__":
    main()
