import ray.train.torch
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def tower(width):
    return nn.Sequential(nn.Linear(40, width), nn.GELU(), nn.Linear(width, 1))


def make_model(settings):
    model = tower(settings["width"])
    return model.to(ray.train.torch.get_device())


def train_rain(settings):
    table = torch.load(settings["data"], map_location="cpu")
    loader = DataLoader(TensorDataset(table["sky"], table["rain"]), batch_size=256, shuffle=True)
    loader = ray.train.torch.prepare_data_loader(loader)
    model = make_model(settings)  # error: [ray-train-prepare-missing]
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for epoch in range(4):
        if ray.train.get_context().get_world_size() > 1:
            loader.sampler.set_epoch(epoch)
        for sky, rain in loader:
            loss = nn.functional.mse_loss(model(sky).squeeze(-1), rain)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        ray.train.report({"loss": loss.item()})
