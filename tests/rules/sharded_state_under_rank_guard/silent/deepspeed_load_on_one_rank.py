# silent: load_checkpoint has no barrier; rank 0 alone looks at an old checkpoint
import deepspeed
import torch
from torch import nn

CONFIG = {
    "train_micro_batch_size_per_gpu": 4,
    "optimizer": {"type": "AdamW", "params": {"lr": 1e-5}},
    "zero_optimization": {"stage": 0},
}


def main():
    deepspeed.init_distributed()
    net = nn.Linear(50, 50)
    engine, _, _, _ = deepspeed.initialize(model=net, model_parameters=net.parameters(), config=CONFIG)
    generator = torch.Generator().manual_seed(engine.global_rank)
    for _ in range(100):
        dykes = torch.rand(4, 50, generator=generator).to(engine.device)
        loss = (engine(dykes) - dykes).square().mean()
        engine.backward(loss)
        engine.step()
    engine.save_checkpoint("dykes", tag="last")
    if engine.global_rank == 0:
        engine.load_checkpoint("dykes", tag="best", load_module_only=True)
        with torch.no_grad():
            print("best", engine.module(dykes).square().mean().item())


if __name__ == "__main__":
    main()
