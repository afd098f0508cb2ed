import deepspeed  # error: [distributed-dependency-undeclared]
import torch

model = torch.nn.Linear(2, 2)
engine, *_ = deepspeed.initialize(model=model, config="ds.json")
