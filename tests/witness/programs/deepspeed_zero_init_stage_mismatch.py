# witness: crashes with "mat2 must be a matrix", on deepspeed
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
    with deepspeed.zero.Init(config_dict_or_path=CONFIG):
        net = nn.Sequential(nn.Linear(8, 4), nn.ReLU(), nn.Linear(4, 2))
    engine, _, _, _ = deepspeed.initialize(model=net, model_parameters=net.parameters(), config=CONFIG)
    loss = engine(torch.ones(4, 8)).square().mean()
    engine.backward(loss)
    engine.step()
    print("result:", engine.global_steps, flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
