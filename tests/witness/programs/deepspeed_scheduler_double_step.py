# witness: wrong, on deepspeed
import deepspeed
import torch
import torch.distributed as dist
from torch import nn

CONFIG = {
    "train_micro_batch_size_per_gpu": 4,
    "optimizer": {"type": "AdamW", "params": {"lr": 0.05, "torch_adam": True}},
    "scheduler": {
        "type": "WarmupLR",
        "params": {"warmup_min_lr": 0.0, "warmup_max_lr": 1.0, "warmup_num_steps": 100, "warmup_type": "linear"},
    },
}


def main():
    deepspeed.init_distributed("gloo")
    torch.manual_seed(0)
    net = nn.Linear(8, 2)
    engine, _, _, schedule = deepspeed.initialize(model=net, model_parameters=net.parameters(), config=CONFIG)
    for _ in range(10):
        loss = engine(torch.ones(4, 8)).square().mean()
        engine.backward(loss)
        engine.step()
        schedule.step()
    print("result:", f"{schedule.get_last_lr()[0]:.4f}", flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
