# silent: accelerate decides which process writes
import json
import os

import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    accelerator = Accelerator(gradient_accumulation_steps=2)
    if accelerator.is_main_process:
        os.makedirs("runs/poems")
    accelerator.wait_for_everyone()
    gen = torch.Generator().manual_seed(1)
    data = TensorDataset(torch.randint(0, 500, (2000, 21), generator=gen))
    loader = DataLoader(data, batch_size=16, shuffle=True)
    model = nn.Sequential(nn.Embedding(500, 48), nn.Linear(48, 500))
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    model, opt, loader = accelerator.prepare(model, opt, loader)
    for _ in range(3):
        for (ids,) in loader:
            with accelerator.accumulate(model):
                loss = nn.functional.cross_entropy(model(ids[:, :-1]).flatten(0, 1), ids[:, 1:].flatten())
                accelerator.backward(loss)
                opt.step()
                opt.zero_grad()
        accelerator.save_state("runs/poems/state")
    accelerator.save(accelerator.unwrap_model(model).state_dict(), "runs/poems/weights.pt")
    if accelerator.is_main_process:
        with open("runs/poems/done.json", "w") as handle:
            json.dump({"epochs": 3}, handle)


if __name__ == "__main__":
    main()
