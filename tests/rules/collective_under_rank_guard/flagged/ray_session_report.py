import torch
from ray.air import ScalingConfig, session
from ray.train.torch import TorchTrainer, prepare_model
from torch import nn


def log(metrics, rank):
    if rank == 0:
        session.report(metrics)  # expect: collective-under-rank-guard


def train_loop():
    rank = session.get_world_rank()
    net = prepare_model(nn.Linear(4, 2))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
    generator = torch.Generator().manual_seed(rank)
    for step in range(300):
        snow = torch.rand(64, 4, generator=generator)
        loss = nn.functional.cross_entropy(net(snow), snow[:, :2].argmax(1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 50 == 0:
            log({"loss": loss.item(), "step": step}, rank)


if __name__ == "__main__":
    TorchTrainer(train_loop, scaling_config=ScalingConfig(num_workers=2)).fit()
