import colossalai
import torch
import torch.distributed as dist
from colossalai.booster import Booster
from colossalai.booster.plugin import TorchDDPPlugin
from torch import nn


def main():
    colossalai.launch_from_torch(seed=0, verbose=False)
    plugin = TorchDDPPlugin()
    booster = Booster(plugin=plugin)
    torch.manual_seed(0)
    net = nn.Linear(4, 2)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    net, optimizer, _, _, _ = booster.boost(net, optimizer)
    torch.manual_seed(1 + dist.get_rank())
    for _ in range(4):
        loss = net(torch.randn(8, 4)).square().mean()
        booster.backward(loss, optimizer)
        optimizer.step()
        optimizer.zero_grad()
    print("result:", f"{sum(p.sum().item() for p in net.parameters()):.4f}", flush=True)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
