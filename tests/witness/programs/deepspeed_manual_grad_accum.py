# witness: wrong, on deepspeed
import deepspeed
import torch
import torch.distributed as dist
from torch import nn

CONFIG = {
    "train_micro_batch_size_per_gpu": 4,
    "gradient_accumulation_steps": 2,
    "optimizer": {"type": "AdamW", "params": {"lr": 0.05, "torch_adam": True}},
    "zero_optimization": {"stage": 1},
}


def main():
    deepspeed.init_distributed("gloo")
    torch.manual_seed(0)
    net = nn.Linear(8, 2)
    engine, _, _, _ = deepspeed.initialize(model=net, model_parameters=net.parameters(), config=CONFIG)
    torch.manual_seed(dist.get_rank())
    for turn in range(8):
        loss = engine(torch.randn(4, 8)).square().mean()
        engine.backward(loss / 2)
        if (turn + 1) % 2 == 0:
            engine.step()
    print("result:", engine.global_steps, f"{engine.module.weight.sum().item():.4f}", flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
