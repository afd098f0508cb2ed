import lightning as L
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    fabric = L.Fabric(accelerator="cuda", devices=4, strategy="fsdp")
    fabric.launch()
    fabric.seed_everything(9)
    with fabric.init_module():
        model = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 1))
    model = fabric.setup_module(model)
    optimizer = fabric.setup_optimizers(torch.optim.AdamW(model.parameters()))
    loader = fabric.setup_dataloaders(DataLoader(TensorDataset(torch.rand(512, 16)), batch_size=8, shuffle=True))
    state = {"model": model, "optimizer": optimizer, "step": 0}
    for (batch,) in loader:
        optimizer.zero_grad()
        loss = model(batch).square().mean()
        fabric.backward(loss)
        optimizer.step()
        state["step"] += 1
        if fabric.is_global_zero:
            print(state["step"], loss.item())
        if state["step"] % 20 == 0:
            fabric.save(f"runs/step-{state['step']}.ckpt", state)
    fabric.barrier()


if __name__ == "__main__":
    main()
