import os

import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    accelerator = Accelerator()
    torch.manual_seed(0)
    model = nn.Linear(10, 10)
    loader = DataLoader(TensorDataset(torch.rand(64, 10)), batch_size=4, shuffle=True)

    def unwrap_model(wrapped):
        return accelerator.unwrap_model(wrapped)

    def save_model_hook(models, weights, output_dir):
        if accelerator.is_main_process:
            for index, kept in enumerate(models):
                torch.save(unwrap_model(kept).state_dict(), os.path.join(output_dir, f"part{index}.pt"))
                if weights:
                    weights.pop()

    def load_model_hook(models, input_dir):
        while models:
            kept = models.pop()
            path = os.path.join(input_dir, f"part{len(models)}.pt")
            unwrap_model(kept).load_state_dict(torch.load(path, map_location="cpu"))

    accelerator.register_save_state_pre_hook(save_model_hook)
    accelerator.register_load_state_pre_hook(load_model_hook)
    optimizer = torch.optim.Adam(model.parameters())
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for (batch,) in loader:
        optimizer.zero_grad()
        accelerator.backward(model(batch).abs().mean())
        optimizer.step()
    accelerator.save_state("state")


if __name__ == "__main__":
    main()
