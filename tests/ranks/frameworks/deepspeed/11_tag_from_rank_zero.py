import os

import deepspeed
import torch
import torch.distributed as dist
from torch import nn

CONFIG = {"train_micro_batch_size_per_gpu": 2, "optimizer": {"type": "Adam", "params": {"lr": 1e-3}}}


def newest_tag(folder):
    box = [None]
    if dist.get_rank() == 0 and os.path.isdir(folder):
        tags = sorted(name for name in os.listdir(folder) if name.startswith("step"))
        box = [tags[-1] if tags else None]
    dist.broadcast_object_list(box, src=0)
    return box[0]


def main():
    torch.manual_seed(0)
    net = nn.Linear(3, 3)
    engine, _, _, _ = deepspeed.initialize(model=net, model_parameters=net.parameters(), config=CONFIG)
    tag = newest_tag("runs")
    if tag is not None:
        engine.load_checkpoint("runs", tag=tag)
    generator = torch.Generator().manual_seed(engine.global_rank)
    for step in range(1, 61):
        engine.backward(engine(torch.rand(2, 3, generator=generator).to(engine.device)).mean())
        engine.step()
        if step % 20 == 0:
            engine.save_checkpoint("runs", tag=f"step{step:04d}")


if __name__ == "__main__":
    main()
