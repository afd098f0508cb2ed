# witness: crashes with "No inf checks were recorded", on deepspeed
import deepspeed
import torch
import torch.distributed as dist
from torch import nn

CONFIG = {
    "train_micro_batch_size_per_gpu": 4,
    "optimizer": {"type": "AdamW", "params": {"lr": 0.05, "torch_adam": True}},
    "zero_optimization": {"stage": 2},
}


def main():
    deepspeed.init_distributed("gloo")
    torch.manual_seed(0)
    net = nn.Linear(8, 2)
    engine, optimizer, _, _ = deepspeed.initialize(model=net, model_parameters=net.parameters(), config=CONFIG)
    scaler = torch.amp.GradScaler("cpu")
    for _ in range(3):
        loss = engine(torch.ones(4, 8)).square().mean()
        engine.backward(scaler.scale(loss))
        scaler.step(optimizer)
        scaler.update()
    print("result:", f"{engine.module.weight.sum().item():.4f}", flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
