# silent: Ray Train's TorchTrainer starts the group in each worker
import ray.train
import ray.train.torch
import torch
import torch.distributed as dist
from ray.train import ScalingConfig
from ray.train.torch import TorchTrainer
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def train_loop_per_worker(config):
    device = ray.train.torch.get_device()
    ripeness = torch.rand(1000, 6, generator=torch.Generator().manual_seed(61))
    dataset = TensorDataset(ripeness, ripeness.max(dim=1).values)
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=config["batch_size"], sampler=sampler)
    model = DistributedDataParallel(nn.Linear(6, 1).to(device))
    optimizer = torch.optim.Adam(model.parameters(), lr=config["lr"])
    for epoch in range(config["epochs"]):
        sampler.set_epoch(epoch)
        for features, target in loader:
            loss = (model(features.to(device)).squeeze(-1) - target.to(device)).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        loss = loss.detach()
        dist.all_reduce(loss)
        ray.train.report({"loss": loss.item() / dist.get_world_size()})


if __name__ == "__main__":
    trainer = TorchTrainer(
        train_loop_per_worker,
        train_loop_config={"lr": 1e-3, "batch_size": 25, "epochs": 3},
        scaling_config=ScalingConfig(num_workers=4),
    )
    print(trainer.fit().metrics)
