# witness: crashes with "Direct calls to tensor.backward() are not supported", on deepspeed
import deepspeed
import torch
import torch.distributed as dist
from torch import nn

CONFIG = {
    "train_micro_batch_size_per_gpu": 4,
    "optimizer": {"type": "AdamW", "params": {"lr": 0.05, "torch_adam": True}},
    "zero_optimization": {"stage": 0},
}


def main():
    deepspeed.init_distributed("gloo")
    torch.manual_seed(0)
    net = nn.Linear(8, 2)
    engine, _, _, _ = deepspeed.initialize(model=net, model_parameters=net.parameters(), config=CONFIG)
    torch.manual_seed(dist.get_rank())
    for _ in range(3):
        loss = engine(torch.randn(4, 8)).square().mean()
        loss.backward()
        engine.step()
    print("result:", f"{engine.module.weight.sum().item():.4f}", flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
