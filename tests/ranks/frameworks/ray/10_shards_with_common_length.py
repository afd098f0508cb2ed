import ray
import torch
import torch.distributed as dist
from ray import train
from ray.train import ScalingConfig
from ray.train.torch import TorchTrainer, get_device, prepare_model
from torch import nn


def loop(config):
    torch.manual_seed(0)
    shard = train.get_dataset_shard("train")
    model = prepare_model(nn.Linear(1, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for epoch in range(config["epochs"]):
        batches = list(shard.iter_torch_batches(batch_size=16, drop_last=True))
        count = torch.tensor(len(batches), device=get_device())
        dist.all_reduce(count, op=dist.ReduceOp.MIN)
        for batch in batches[: int(count.item())]:
            optimizer.zero_grad()
            model(batch["id"].float().unsqueeze(1)).square().mean().backward()
            optimizer.step()
        train.report({"epoch": epoch})


if __name__ == "__main__":
    TorchTrainer(
        loop,
        train_loop_config={"epochs": 2},
        datasets={"train": ray.data.range(1000)},
        scaling_config=ScalingConfig(num_workers=2, use_gpu=True),
    ).fit()
