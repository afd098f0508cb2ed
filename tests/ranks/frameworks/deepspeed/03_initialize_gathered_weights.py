import deepspeed
import torch
from torch import nn

CONFIG = {
    "train_micro_batch_size_per_gpu": 2,
    "optimizer": {"type": "Adam", "params": {"lr": 1e-3}},
    "zero_optimization": {"stage": 3},
}


def main():
    deepspeed.init_distributed()
    with deepspeed.zero.Init(config_dict_or_path=CONFIG):
        net = nn.Linear(64, 64)
    with deepspeed.zero.GatheredParameters(list(net.parameters()), modifier_rank=0):
        if torch.distributed.get_rank() == 0:
            nn.init.orthogonal_(net.weight)
            nn.init.zeros_(net.bias)
    engine, _, _, _ = deepspeed.initialize(model=net, model_parameters=net.parameters(), config=CONFIG)
    generator = torch.Generator().manual_seed(engine.global_rank)
    for _ in range(20):
        loss = engine(torch.rand(2, 64, generator=generator).to(engine.device)).square().mean()
        engine.backward(loss)
        engine.step()
    with deepspeed.zero.GatheredParameters(net.weight):
        if engine.global_rank == 0:
            print(net.weight.norm().item())


if __name__ == "__main__":
    main()
