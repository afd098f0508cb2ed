# silent: colossalai.launch_from_torch() starts the group
import colossalai
import torch
import torch.distributed as dist
from colossalai.booster import Booster
from colossalai.booster.plugin import TorchDDPPlugin
from torch import nn
from torch.utils.data import TensorDataset


def main():
    colossalai.launch_from_torch(seed=21)
    plugin = TorchDDPPlugin()
    booster = Booster(plugin=plugin)

    signals = torch.rand(2000, 10)
    dataset = TensorDataset(signals, signals.std(dim=1))
    loader = plugin.prepare_dataloader(dataset, batch_size=40, shuffle=True, drop_last=True)

    model = nn.Sequential(nn.Linear(10, 30), nn.ReLU(), nn.Linear(30, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    model, optimizer, _, loader, _ = booster.boost(model, optimizer, dataloader=loader)

    for epoch in range(3):
        loader.sampler.set_epoch(epoch)
        for batch, target in loader:
            loss = (model(batch.cuda()).squeeze(-1) - target.cuda()).pow(2).mean()
            booster.backward(loss, optimizer)
            optimizer.step()
            optimizer.zero_grad()
        if dist.get_rank() == 0:
            print(f"epoch {epoch}: {loss.item():.4f} on {dist.get_world_size()} ranks")
    dist.barrier()


if __name__ == "__main__":
    main()
