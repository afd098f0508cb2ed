import deepspeed
import torch
import torch.distributed as dist
from torch import nn

CONFIG = {
    "train_micro_batch_size_per_gpu": 8,
    "optimizer": {"type": "AdamW", "params": {"lr": 2e-4}},
    "zero_optimization": {"stage": 2},
}


def main(out="runs/harp"):
    deepspeed.init_distributed()
    net = nn.Sequential(nn.Linear(48, 96), nn.Tanh(), nn.Linear(96, 48))
    engine, *_ = deepspeed.initialize(model=net, model_parameters=net.parameters(), config=CONFIG)
    generator = torch.Generator().manual_seed(dist.get_rank())
    for step in range(1, 5001):
        strings = torch.rand(8, 48, generator=generator).to(engine.device)
        loss = nn.functional.mse_loss(engine(strings), strings)
        engine.backward(loss)
        engine.step()
        if dist.get_rank() == 0 and step % 500 == 0:
            engine.save_checkpoint(out, tag=f"step{step}")  # expect: sharded-state-under-rank-guard
            print(step, loss.item())


if __name__ == "__main__":
    main()
