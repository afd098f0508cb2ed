# witness: wrong, on colossalai
import colossalai
import torch
import torch.distributed as dist
from colossalai.booster import Booster
from colossalai.booster.plugin import TorchDDPPlugin
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    colossalai.launch_from_torch(seed=0, verbose=False)
    plugin = TorchDDPPlugin()
    booster = Booster(plugin=plugin)
    torch.manual_seed(0)
    net = nn.Linear(1, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    data = TensorDataset(torch.arange(16.0).unsqueeze(1))
    loader = DataLoader(data, batch_size=4, shuffle=True)
    net, optimizer, _, loader, _ = booster.boost(net, optimizer, dataloader=loader)
    for (x,) in loader:
        loss = net(x / 16).square().mean()
        booster.backward(loss, optimizer)
        optimizer.step()
        optimizer.zero_grad()
    print("result:", len(loader), flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
