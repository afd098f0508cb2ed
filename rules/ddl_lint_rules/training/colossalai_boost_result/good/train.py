import colossalai
import torch
from colossalai.booster import Booster
from colossalai.booster.plugin import HybridParallelPlugin, LowLevelZeroPlugin

colossalai.launch_from_torch()
booster = Booster(plugin=LowLevelZeroPlugin(stage=1))
model = torch.nn.Linear(4, 4)
optimizer = torch.optim.Adam(model.parameters())
model, optimizer, _, _, _ = booster.boost(model, optimizer)
optimizer.backward(model(torch.ones(4)).sum())
