from __future__ import annotations

import deepspeed
import torch
from torch import nn


def main():
    deepspeed.init_distributed("gloo")
    torch.manual_seed(0)
    net = nn.Linear(8, 2)
    optimizer = torch.optim.AdamW(net.parameters(), lr=0.05)
    engine, _, _, _ = deepspeed.initialize(model=net, optimizer=optimizer, config="ds.json")
    loss = engine(torch.ones(4, 8)).square().mean()
    engine.backward(loss)
    engine.step()
    print("result:", engine.global_steps, flush=True)
    torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main()
