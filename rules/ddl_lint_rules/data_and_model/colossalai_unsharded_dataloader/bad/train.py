import colossalai
import torch
from colossalai.booster import Booster
from colossalai.booster.plugin import HybridParallelPlugin, LowLevelZeroPlugin

from torch.utils.data import DataLoader, TensorDataset

colossalai.launch_from_torch()
plugin = LowLevelZeroPlugin(stage=1)
booster = Booster(plugin=plugin)
model = torch.nn.Linear(4, 4)
optimizer = torch.optim.Adam(model.parameters())
data = TensorDataset(torch.randn(100, 4))
loader = DataLoader(data, batch_size=8, shuffle=True)  # error: [colossalai-unsharded-dataloader]
model, optimizer, _, loader, _ = booster.boost(model, optimizer, dataloader=loader)
for (x,) in loader:
    booster.backward(model(x).sum(), optimizer)
    optimizer.step()
    optimizer.zero_grad()
