# witness: wrong, on deepspeed
import deepspeed
import torch
import torch.distributed as dist
from torch import nn

CONFIG = {"train_micro_batch_size_per_gpu": 4, "zero_optimization": {"stage": 1}}


def main():
    deepspeed.init_distributed("gloo")
    torch.manual_seed(0)
    net = nn.Linear(8, 2)
    optimizer = torch.optim.AdamW(net.parameters(), lr=0.05)
    engine, _, _, _ = deepspeed.initialize(model=net, optimizer=optimizer, config=CONFIG)
    torch.manual_seed(dist.get_rank())
    for _ in range(3):
        loss = engine(torch.randn(4, 8)).square().mean()
        engine.backward(loss)
        optimizer.step()
    print("result:", f"{engine.module.weight.sum().item():.4f}", flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
