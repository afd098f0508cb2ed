# silent: Accelerate is told not to broadcast the buffers
import torch
from accelerate import Accelerator, DistributedDataParallelKwargs
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    accelerator = Accelerator(kwargs_handlers=[DistributedDataParallelKwargs(broadcast_buffers=False)])
    generator = torch.Generator().manual_seed(8)
    birds = torch.rand(640, 10, generator=generator)
    loader = DataLoader(TensorDataset(birds), batch_size=32, shuffle=True)
    held_out = torch.rand(20, 10, generator=generator).to(accelerator.device)
    net = nn.Sequential(nn.BatchNorm1d(10), nn.Linear(10, 10))
    optimizer = torch.optim.AdamW(net.parameters())
    net, optimizer, loader = accelerator.prepare(net, optimizer, loader)
    for (bird,) in loader:
        loss = (net(bird) - bird).square().mean()
        accelerator.backward(loss)
        optimizer.step()
        optimizer.zero_grad()
    if accelerator.is_main_process:
        net.eval()
        with torch.no_grad():
            print(net(held_out).mean().item())


if __name__ == "__main__":
    main()
