from __future__ import annotations

import deepspeed
import torch
from torch import nn


def main():
    deepspeed.init_distributed("gloo")
    net = nn.Linear(8, 2)
    engine, _, _, _ = deepspeed.initialize(model=net, model_parameters=net.parameters(), config="ds.json")
    loss = engine(torch.ones(4, 8)).square().mean()
    engine.backward(loss)
    engine.step()
    print("result:", engine.global_steps, flush=True)
    torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main()
