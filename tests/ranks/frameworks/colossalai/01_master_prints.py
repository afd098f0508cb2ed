import colossalai
import torch
from colossalai.booster import Booster
from colossalai.booster.plugin import TorchDDPPlugin
from colossalai.cluster import DistCoordinator
from torch import nn
from torch.utils.data import TensorDataset


def main():
    colossalai.launch_from_torch()
    coordinator = DistCoordinator()
    plugin = TorchDDPPlugin()
    booster = Booster(plugin=plugin)
    torch.manual_seed(0)
    loader = plugin.prepare_dataloader(TensorDataset(torch.rand(256, 8)), batch_size=8, shuffle=True, drop_last=True)
    model = nn.Linear(8, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model, optimizer, _, loader, _ = booster.boost(model, optimizer, dataloader=loader)
    for epoch in range(3):
        loader.sampler.set_epoch(epoch)
        for (batch,) in loader:
            optimizer.zero_grad()
            loss = model(batch.cuda()).square().mean()
            booster.backward(loss, optimizer)
            optimizer.step()
        if coordinator.is_master():
            print(epoch, loss.item())
        coordinator.print_on_master(f"epoch {epoch} is over")


if __name__ == "__main__":
    main()
