import ray.train
import torch
from ray.train import ScalingConfig
from ray.train.torch import TorchTrainer, get_device, prepare_model
from torch import nn


def score(model):
    model.eval()
    with torch.no_grad():
        result = model(torch.ones(2, 8, device=get_device())).mean().item()
    model.train()
    return result


def loop():
    torch.manual_seed(0)
    model = prepare_model(nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8)))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    rank = ray.train.get_context().get_world_rank()
    generator = torch.Generator().manual_seed(rank)
    for step in range(10):
        optimizer.zero_grad()
        model(torch.rand(16, 8, generator=generator).to(get_device())).square().mean().backward()
        optimizer.step()
        metrics = {"step": step}
        if rank == 0:
            metrics["score"] = score(model.module)
        ray.train.report(metrics)


if __name__ == "__main__":
    TorchTrainer(loop, scaling_config=ScalingConfig(num_workers=2, use_gpu=True)).fit()
