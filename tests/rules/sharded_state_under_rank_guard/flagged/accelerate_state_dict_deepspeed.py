import torch
from accelerate import Accelerator
from accelerate.utils import DeepSpeedPlugin
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    accelerator = Accelerator(deepspeed_plugin=DeepSpeedPlugin(zero_stage=3, gradient_accumulation_steps=1))
    mills = torch.rand(1000, 64, generator=torch.Generator().manual_seed(1))
    loader = DataLoader(TensorDataset(mills), batch_size=10, shuffle=True)
    net = nn.Linear(64, 64)
    optimizer = torch.optim.AdamW(net.parameters())
    net, optimizer, loader = accelerator.prepare(net, optimizer, loader)
    for (mill,) in loader:
        loss = (net(mill) - mill.flip(1)).abs().mean()
        accelerator.backward(loss)
        optimizer.step()
        optimizer.zero_grad()
    accelerator.wait_for_everyone()
    if accelerator.is_main_process:
        weights = accelerator.get_state_dict(net)  # expect: sharded-state-under-rank-guard
        accelerator.save(weights, "mills.pt")


if __name__ == "__main__":
    main()
