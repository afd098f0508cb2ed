# witness: wrong, on deepspeed
import deepspeed
import torch
import torch.distributed as dist
from torch import nn

CONFIG = {
    "train_micro_batch_size_per_gpu": 4,
    "optimizer": {"type": "SGD", "params": {"lr": 1.0}},
    "zero_optimization": {"stage": 1},
    "zero_allow_untested_optimizer": True,
}


def main():
    deepspeed.init_distributed("gloo")
    torch.manual_seed(0)
    net = nn.Linear(8, 2)
    engine, _, _, _ = deepspeed.initialize(model=net, model_parameters=net.parameters(), config=CONFIG)
    before = engine.module.weight.detach().clone()
    loss = 1000 * engine(torch.ones(4, 8)).square().mean()
    engine.backward(loss)
    torch.nn.utils.clip_grad_norm_(engine.parameters(), 0.1)
    engine.step()
    print("result:", f"{(engine.module.weight - before).norm().item():.3f}", flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
