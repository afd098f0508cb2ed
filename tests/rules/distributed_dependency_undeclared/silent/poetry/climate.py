import torch
from lightning import Trainer, seed_everything

import accelerate

seed_everything(torch.initial_seed() % 100)
Trainer(devices=2, strategy="ddp")
print(accelerate.__version__)
