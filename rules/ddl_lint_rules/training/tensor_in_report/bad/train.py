import ray.train
import torch
from ray.train import ScalingConfig
from ray.train.torch import TorchTrainer, prepare_data_loader, prepare_model
from torch.utils.data import DataLoader, TensorDataset


def work(config):
    model = prepare_model(torch.nn.Linear(12, 1))
    heights = TensorDataset(torch.randn(4096, 12), torch.randn(4096, 1))
    loader = prepare_data_loader(DataLoader(heights, batch_size=32, shuffle=True))
    optimizer = torch.optim.SGD(model.parameters(), lr=config["rate"])
    for epoch in range(4):
        if ray.train.get_context().get_world_size() > 1:
            loader.sampler.set_epoch(epoch)
        for weather, height in loader:
            loss = torch.nn.functional.mse_loss(model(weather), height)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        ray.train.report({"loss": loss, "epoch": epoch})  # error: [tensor-in-report]


if __name__ == "__main__":
    size = ScalingConfig(num_workers=4, use_gpu=True)
    TorchTrainer(work, train_loop_config={"rate": 0.01}, scaling_config=size).fit()  # related: [tensor-in-report]
