import argparse

import deepspeed
import torch

parser = argparse.ArgumentParser()
parser.add_argument("--local_rank", type=int, default=-1)
parser = deepspeed.add_config_arguments(parser)
args = parser.parse_args()
deepspeed.init_distributed()
data = torch.utils.data.TensorDataset(torch.rand(1000, 8))
sampler = torch.utils.data.DistributedSampler(data)
loader = torch.utils.data.DataLoader(data, batch_size=32, sampler=sampler)  # error: [deepspeed-loader-batch]
model = torch.nn.Linear(8, 1)
engine, _, _, _ = deepspeed.initialize(args=args, model=model, model_parameters=model.parameters())
for epoch in range(3):
    sampler.set_epoch(epoch)
    for (x,) in loader:
        loss = engine(x.to(engine.device)).mean()
        engine.backward(loss)
        engine.step()
    engine.save_checkpoint("./checkpoints")
