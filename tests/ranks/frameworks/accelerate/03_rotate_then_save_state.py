import os
import shutil

import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def rotate(folder, keep):
    old = sorted((name for name in os.listdir(folder) if name.startswith("step-")), key=lambda n: int(n[5:]))
    for name in old[: max(len(old) - keep + 1, 0)]:
        shutil.rmtree(os.path.join(folder, name))


def main():
    accelerator = Accelerator(gradient_accumulation_steps=2)
    if accelerator.is_main_process:
        os.makedirs("runs", exist_ok=True)
    accelerator.wait_for_everyone()
    torch.manual_seed(0)
    loader = DataLoader(TensorDataset(torch.rand(256, 4)), batch_size=4, shuffle=True)
    model = nn.Linear(4, 1)
    optimizer = torch.optim.Adam(model.parameters())
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    global_step = 0
    for (batch,) in loader:
        with accelerator.accumulate(model):
            accelerator.backward(model(batch).square().mean())
            optimizer.step()
            optimizer.zero_grad()
        if accelerator.sync_gradients:
            global_step += 1
            if global_step % 10 == 0:
                if accelerator.is_main_process:
                    rotate("runs", keep=3)
                accelerator.save_state(f"runs/step-{global_step}")
    accelerator.end_training()


if __name__ == "__main__":
    main()
