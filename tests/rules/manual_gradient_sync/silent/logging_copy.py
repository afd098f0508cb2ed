# silent: a copy is reduced, to be printed
import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset
from torch.nn.parallel import DistributedDataParallel as DDP



def main():
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    data = TensorDataset(torch.rand(256, 4), torch.rand(256, 1))
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=16, sampler=sampler)
    network = nn.Linear(4, 1)
    model = DDP(network)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    total = 0.0
    for epoch in range(3):
        sampler.set_epoch(epoch)
        for inputs, target in loader:
            loss = nn.functional.mse_loss(model(inputs), target)
            optimizer.zero_grad()
            shown = loss.detach().clone()
            dist.all_reduce(shown)
            loss.backward()
            if dist.get_rank() == 0:
                print("loss", shown.item() / dist.get_world_size())
            optimizer.step()
            total += loss.item() * inputs.size(0)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
