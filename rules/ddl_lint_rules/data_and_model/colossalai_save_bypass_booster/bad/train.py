import colossalai
import torch
from colossalai.booster import Booster
from colossalai.booster.plugin import GeminiPlugin
from colossalai.cluster import DistCoordinator
from torch.utils.data import TensorDataset

colossalai.launch_from_torch()
coordinator = DistCoordinator()
plugin = GeminiPlugin(precision="bf16")
booster = Booster(plugin=plugin)
model = torch.nn.Linear(4, 4)
optimizer = torch.optim.Adam(model.parameters())
loader = plugin.prepare_dataloader(TensorDataset(torch.randn(100, 4)), batch_size=8, shuffle=True)
model, optimizer, _, loader, _ = booster.boost(model, optimizer, dataloader=loader)
for (x,) in loader:
    booster.backward(model(x).sum(), optimizer)
    optimizer.step()
    optimizer.zero_grad()
if coordinator.is_master():
    torch.save(optimizer.state_dict(), "optimizer.pt")  # error: [colossalai-save-bypass-booster]
    print("saved")
