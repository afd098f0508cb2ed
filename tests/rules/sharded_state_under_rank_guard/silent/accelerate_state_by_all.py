# silent: all processes gather the state, the main one writes it
import torch
from accelerate import Accelerator, FullyShardedDataParallelPlugin
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    accelerator = Accelerator(fsdp_plugin=FullyShardedDataParallelPlugin())
    canals = torch.rand(1000, 64, generator=torch.Generator().manual_seed(1))
    loader = DataLoader(TensorDataset(canals), batch_size=10, shuffle=True)
    net = accelerator.prepare(nn.Linear(64, 64))
    optimizer = torch.optim.AdamW(net.parameters())
    optimizer, loader = accelerator.prepare(optimizer, loader)
    for (canal,) in loader:
        loss = (net(canal) - canal.flip(1)).abs().mean()
        accelerator.backward(loss)
        optimizer.step()
        optimizer.zero_grad()
    accelerator.save_state("canals/state")
    weights = accelerator.get_state_dict(net)
    if accelerator.is_main_process:
        accelerator.save(weights, "canals.pt")


if __name__ == "__main__":
    main()
