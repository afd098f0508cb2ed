# witness: wrong, by itself, on ray
from pathlib import Path

import ray
import torch
from ray.train import RunConfig, ScalingConfig
from ray.train.torch import TorchConfig, TorchTrainer
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train(config):
    torch.manual_seed(0)
    model = nn.Linear(1, 1)
    loader = DataLoader(TensorDataset(torch.arange(16.0).unsqueeze(1)), batch_size=4)
    optimizer = torch.optim.SGD(model.parameters(), lr=config["rate"])
    count = 0
    for (x,) in loader:
        loss = model(x / 16).square().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        count += len(x)
    if ray.train.get_context().get_world_rank() == 0:
        Path(config["told"]).write_text(str(count))


def main():
    told = Path("samples.txt").resolve()
    ray.init(num_cpus=2, include_dashboard=False)
    trainer = TorchTrainer(
        train,
        train_loop_config={"rate": 0.1, "told": str(told)},
        torch_config=TorchConfig(backend="gloo"),
        scaling_config=ScalingConfig(num_workers=2),
        run_config=RunConfig(storage_path=str(told.parent)),
    )
    trainer.fit()
    print("result:", told.read_text(), flush=True)
    ray.shutdown()


if __name__ == "__main__":
    main()
