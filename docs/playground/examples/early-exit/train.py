import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def evaluate(model, loader):
    total = torch.zeros(1)
    for batch, target in loader:
        total += (model(batch) - target).pow(2).sum()
    if dist.get_rank() != 0:
        return None
    dist.all_reduce(total)
    return total.item() / len(loader.dataset)


def main(train_set, test_set):
    dist.init_process_group("gloo")
    model = DistributedDataParallel(torch.nn.Linear(16, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    sampler = DistributedSampler(train_set)
    for epoch in range(10):
        for batch, target in DataLoader(train_set, batch_size=8, sampler=sampler):
            optimizer.zero_grad()
            (model(batch) - target).pow(2).mean().backward()
            optimizer.step()
        error = evaluate(model, DataLoader(test_set, batch_size=8, sampler=DistributedSampler(test_set)))
        if dist.get_rank() == 0:
            torch.save(model.state_dict(), "model.pt")
            print(epoch, error)
    dist.destroy_process_group()


if __name__ == "__main__":
    data = torch.utils.data.TensorDataset(torch.randn(800, 16), torch.randn(800, 1))
    main(data, data)
