import colossalai
import torch
from colossalai.booster import Booster
from colossalai.booster.plugin import TorchDDPPlugin
from colossalai.cluster import DistCoordinator
from torch import nn
from torch.utils.data import TensorDataset
from tqdm import tqdm


def main():
    colossalai.launch_from_torch()
    coordinator = DistCoordinator()
    plugin = TorchDDPPlugin()
    booster = Booster(plugin=plugin)
    torch.manual_seed(0)
    loader = plugin.prepare_dataloader(TensorDataset(torch.rand(128, 6)), batch_size=4, shuffle=True, drop_last=True)
    model = nn.Linear(6, 6)
    optimizer = torch.optim.Adam(model.parameters())
    model, optimizer, _, loader, _ = booster.boost(model, optimizer, dataloader=loader)
    for epoch in range(2):
        loader.sampler.set_epoch(epoch)
        with tqdm(loader, disable=not coordinator.is_master()) as bar:
            for (batch,) in bar:
                optimizer.zero_grad()
                loss = model(batch.cuda()).square().mean()
                booster.backward(loss, optimizer)
                optimizer.step()
                if coordinator.is_master():
                    bar.set_postfix(loss=loss.item())


if __name__ == "__main__":
    main()
