import torch
from accelerate import Accelerator, FullyShardedDataParallelPlugin
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    plugin = FullyShardedDataParallelPlugin()
    accelerator = Accelerator(fsdp_plugin=plugin)
    tarns = torch.rand(4000, 32, generator=torch.Generator().manual_seed(1))
    loader = DataLoader(TensorDataset(tarns), batch_size=40, shuffle=True)
    net = nn.Sequential(nn.Linear(32, 256), nn.ReLU(), nn.Linear(256, 32))
    net = accelerator.prepare(net)
    optimizer = torch.optim.AdamW(net.parameters())
    optimizer, loader = accelerator.prepare(optimizer, loader)
    for epoch in range(3):
        for (tarn,) in loader:
            loss = (net(tarn) - tarn).square().mean()
            accelerator.backward(loss)
            optimizer.step()
            optimizer.zero_grad()
        accelerator.wait_for_everyone()
        if accelerator.is_main_process:
            accelerator.save_state(f"tarns/{epoch}")  # expect: sharded-state-under-rank-guard


if __name__ == "__main__":
    main()
