# silent: Horovod is the communication layer, torch.distributed only lends its sampler
import horovod.torch as hvd
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def main():
    hvd.init()
    torch.manual_seed(2)
    if torch.cuda.is_available():
        torch.cuda.set_device(hvd.local_rank())
    device = torch.device("cuda", hvd.local_rank()) if torch.cuda.is_available() else torch.device("cpu")

    wool = torch.rand(1600, 9)
    dataset = TensorDataset(wool, wool.prod(dim=1))
    sampler = DistributedSampler(dataset, num_replicas=hvd.size(), rank=hvd.rank())
    loader = DataLoader(dataset, batch_size=20, sampler=sampler)

    model = nn.Linear(9, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01 * hvd.size())
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    hvd.broadcast_optimizer_state(optimizer, root_rank=0)

    for epoch in range(5):
        sampler.set_epoch(epoch)
        for features, target in loader:
            optimizer.zero_grad()
            loss = (model(features.to(device)).squeeze(-1) - target.to(device)).pow(2).mean()
            loss.backward()
            optimizer.step()
        if hvd.rank() == 0:
            print(epoch, loss.item())


if __name__ == "__main__":
    main()
