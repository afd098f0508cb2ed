import json
import os

import torch
from accelerate import Accelerator


def main():
    accelerator = Accelerator()
    if not os.path.exists("plums"):
        os.makedirs("plums")  # error: [unguarded-filesystem-write]
    with open("plums/arguments.json", "w") as file:  # error: [unguarded-filesystem-write]
        json.dump({}, file)
    model = torch.nn.Linear(4, 4)
    optimizer = torch.optim.AdamW(model.parameters())
    model, optimizer = accelerator.prepare(model, optimizer)
    for _ in range(3):
        optimizer.zero_grad()
        accelerator.backward(model(torch.ones(4, 4, device=accelerator.device)).sum())
        optimizer.step()


if __name__ == "__main__":
    main()
