from accelerate import Accelerator
import torch

accelerator = Accelerator()
model, = [accelerator.prepare(torch.nn.Linear(2, 2))]
print(model)
