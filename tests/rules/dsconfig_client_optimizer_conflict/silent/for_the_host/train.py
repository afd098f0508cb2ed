import deepspeed
import torch
from deepspeed.ops.adam import DeepSpeedCPUAdam

deepspeed.init_distributed()
net = torch.nn.Linear(16, 4)
opt = DeepSpeedCPUAdam(net.parameters(), lr=1e-4)
engine, _, _, _ = deepspeed.initialize(model=net, optimizer=opt, config="ds.json")
for step in range(100):
    loss = engine(torch.randn(4, 16, device=engine.device)).pow(2).mean()
    engine.backward(loss)
    engine.step()
