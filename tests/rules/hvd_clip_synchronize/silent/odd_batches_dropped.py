# silent: the averages are waited for only where a batch is dropped, and the step then adds nothing
import argparse

import horovod.torch as hvd
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--table", default="odd.pt")
    parser.add_argument("--warm-up", type=int, default=5)
    args = parser.parse_args()
    hvd.init()
    torch.cuda.set_device(hvd.local_rank())
    data = TensorDataset(*torch.load(args.table, map_location="cpu"))
    sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
    loader = DataLoader(data, batch_size=32, sampler=sampler)
    model = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 1)).cuda()
    criterion = nn.MSELoss()
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01 * hvd.size())
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    hvd.broadcast_optimizer_state(optimizer, root_rank=0)
    for epoch in range(20):
        sampler.set_epoch(epoch)
        for inputs, targets in loader:
            loss = criterion(model(inputs.cuda()), targets.cuda())
            loss.backward()
            if epoch < args.warm_up:
                optimizer.synchronize()
                optimizer.zero_grad()
            optimizer.step()
            optimizer.zero_grad()


if __name__ == "__main__":
    main()
