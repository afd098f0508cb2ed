import colossalai
import torch
from colossalai.booster import Booster
from colossalai.booster.plugin import HybridParallelPlugin, LowLevelZeroPlugin

colossalai.launch_from_torch()
model = torch.nn.Linear(4, 4)
engine, loader, _, _ = colossalai.initialize(model, torch.optim.Adam(model.parameters()))  # error: [colossalai-removed-api]
