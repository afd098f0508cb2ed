import torch
import torch.distributed as dist
from ray import train
from ray.train import ScalingConfig
from ray.train.torch import TorchTrainer, get_device, prepare_model
from torch import nn


def loop(config):
    torch.manual_seed(0)
    model = prepare_model(nn.Linear(6, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    generator = torch.Generator().manual_seed(train.get_context().get_world_rank())
    best, bad = float("inf"), 0
    for epoch in range(config["epochs"]):
        optimizer.zero_grad()
        loss = model(torch.rand(16, 6, generator=generator).to(get_device())).square().mean()
        loss.backward()
        optimizer.step()
        mean = loss.detach().clone()
        dist.all_reduce(mean)
        mean = mean.item() / dist.get_world_size()
        train.report({"loss": mean})
        bad = 0 if mean < best else bad + 1
        best = min(best, mean)
        if bad > 3:
            break


if __name__ == "__main__":
    scaling = ScalingConfig(num_workers=4, use_gpu=True)
    TorchTrainer(loop, train_loop_config={"epochs": 50}, scaling_config=scaling).fit()
