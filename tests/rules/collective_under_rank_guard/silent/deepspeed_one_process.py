# silent: the group has one process, as the literals say
import os

import deepspeed
import torch
from torch import nn

CONFIG = {"train_batch_size": 8, "optimizer": {"type": "Adam", "params": {"lr": 1e-3}}}


def main():
    os.environ.update(MASTER_ADDR="localhost", MASTER_PORT="29400", RANK="0", WORLD_SIZE="1", LOCAL_RANK="0")
    deepspeed.init_distributed(rank=0, world_size=1)
    net = nn.Linear(16, 16)
    engine, _, _, _ = deepspeed.initialize(model=net, model_parameters=net.parameters(), config=CONFIG)
    generator = torch.Generator().manual_seed(0)
    for _ in range(100):
        hides = torch.rand(8, 16, generator=generator).to(engine.device)
        loss = nn.functional.mse_loss(engine(hides), hides)
        engine.backward(loss)
        engine.step()
    if deepspeed.comm.get_rank() == 0:
        deepspeed.comm.barrier()
        print(loss.item())


if __name__ == "__main__":
    main()
