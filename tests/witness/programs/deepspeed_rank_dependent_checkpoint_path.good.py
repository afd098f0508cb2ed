import deepspeed
import torch
import torch.distributed as dist
from torch import nn

CONFIG = {
    "train_micro_batch_size_per_gpu": 4,
    "optimizer": {"type": "AdamW", "params": {"lr": 0.05, "torch_adam": True}},
    "zero_optimization": {"stage": 1},
}


def make_engine():
    torch.manual_seed(0)
    net = nn.Linear(8, 2)
    engine, _, _, _ = deepspeed.initialize(model=net, model_parameters=net.parameters(), config=CONFIG)
    return engine


def main():
    deepspeed.init_distributed("gloo")
    engine = make_engine()
    loss = engine(torch.ones(4, 8)).square().mean()
    engine.backward(loss)
    engine.step()
    engine.save_checkpoint("kept", tag="epoch0")
    later = make_engine()
    path, _ = later.load_checkpoint("kept", tag="epoch0")
    print("result:", path, f"{later.module.weight.sum().item():.4f}", flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
