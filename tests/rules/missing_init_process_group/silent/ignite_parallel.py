# silent: idist.Parallel starts the group around the function that it runs
import ignite.distributed as idist
import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import TensorDataset
from torch.utils.data.distributed import DistributedSampler


def training(local_rank, config):
    device = idist.device()
    grain = torch.rand(1200, 11, generator=torch.Generator().manual_seed(61))
    dataset = TensorDataset(grain, grain.median(dim=1).values)
    sampler = DistributedSampler(dataset)
    loader = idist.auto_dataloader(dataset, batch_size=config["batch_size"], sampler=sampler)
    model = idist.auto_model(nn.Linear(11, 1))
    optimizer = idist.auto_optim(torch.optim.SGD(model.parameters(), lr=config["lr"]))
    for epoch in range(config["epochs"]):
        sampler.set_epoch(epoch)
        for features, target in loader:
            loss = (model(features.to(device)).squeeze(-1) - target.to(device)).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        dist.barrier()
        if dist.get_rank() == 0:
            print(f"local rank {local_rank}, epoch {epoch}: {loss.item():.4f}")


if __name__ == "__main__":
    with idist.Parallel(backend="gloo", nproc_per_node=2) as parallel:
        parallel.run(training, {"batch_size": 60, "lr": 0.05, "epochs": 3})
