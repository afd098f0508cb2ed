# silent: the other ranks save in the else arm
import deepspeed
import torch
from torch import nn

CONFIG = {
    "train_micro_batch_size_per_gpu": 8,
    "optimizer": {"type": "AdamW", "params": {"lr": 2e-4}},
    "zero_optimization": {"stage": 1},
}


def main(out="runs/viola"):
    deepspeed.init_distributed()
    net = nn.Linear(24, 24)
    engine, *_ = deepspeed.initialize(model=net, model_parameters=net.parameters(), config=CONFIG)
    generator = torch.Generator().manual_seed(engine.global_rank)
    for step in range(100):
        strings = torch.rand(8, 24, generator=generator).to(engine.device)
        loss = nn.functional.mse_loss(engine(strings), strings)
        engine.backward(loss)
        engine.step()
    if engine.global_rank == 0:
        print("saving to", out)
        engine.save_checkpoint(out, tag="last")
        print("saved")
    else:
        engine.save_checkpoint(out, tag="last")


if __name__ == "__main__":
    main()
