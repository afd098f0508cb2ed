import deepspeed  # error: [distributed-dependency-undeclared]
import torch
from deepspeed.ops.adam import FusedAdam

model = torch.nn.Linear(2, 2)
engine, *_ = deepspeed.initialize(model=model, optimizer=FusedAdam(model.parameters()), config="ds.json")
