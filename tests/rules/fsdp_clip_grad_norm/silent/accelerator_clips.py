# silent: accelerate knows how the model is sharded
import torch
from accelerate import Accelerator, FullyShardedDataParallelPlugin
from torch import nn


def main():
    accelerator = Accelerator(fsdp_plugin=FullyShardedDataParallelPlugin())
    model = accelerator.prepare(nn.Linear(64, 10))
    optimizer = accelerator.prepare(torch.optim.AdamW(model.parameters(), lr=1e-4))
    for step in range(100):
        loss = model(torch.randn(32, 64, device=accelerator.device)).square().mean()
        accelerator.backward(loss)
        if accelerator.sync_gradients:
            accelerator.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()


if __name__ == "__main__":
    main()
