import colossalai
import torch
from colossalai.booster import Booster
from colossalai.booster.plugin import LowLevelZeroPlugin
from torch.utils.data import TensorDataset

colossalai.launch_from_torch()
plugin = LowLevelZeroPlugin(stage=1, precision="bf16")
booster = Booster(plugin=plugin)
model = torch.nn.Linear(4, 4)
optimizer = torch.optim.Adam(model.parameters())
loader = plugin.prepare_dataloader(TensorDataset(torch.randn(100, 4)), batch_size=8, shuffle=True)
model, optimizer, _, loader, _ = booster.boost(model, optimizer, dataloader=loader)
for (x,) in loader:
    loss = model(x).sum()
    optimizer.backward(loss)
    optimizer.step()
    optimizer.zero_grad()
