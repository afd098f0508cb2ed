import torch
from accelerate import Accelerator, DeepSpeedPlugin
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    accelerator = Accelerator(deepspeed_plugin=DeepSpeedPlugin(zero_stage=2, gradient_accumulation_steps=1))
    nets = torch.rand(1000, 24, generator=torch.Generator().manual_seed(1))
    loader = DataLoader(TensorDataset(nets), batch_size=10, shuffle=True)
    model = nn.Linear(24, 24)
    optimizer = torch.optim.AdamW(model.parameters())
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for (net,) in loader:
        loss = (model(net) - net.roll(1, 1)).abs().mean()
        accelerator.backward(loss)
        optimizer.step()
        optimizer.zero_grad()
    accelerator.wait_for_everyone()
    if accelerator.is_main_process:
        weights = accelerator.get_state_dict(model)  # whole on each process at stage 2
        accelerator.save(weights, "nets.pt")
    if accelerator.is_main_process:
        accelerator.save_state("nets")  # expect: sharded-state-under-rank-guard


if __name__ == "__main__":
    main()
