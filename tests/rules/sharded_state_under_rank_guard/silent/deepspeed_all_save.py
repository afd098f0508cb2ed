# silent: every rank saves the checkpoint, rank 0 only tells
import deepspeed
import torch
import torch.distributed as dist
from torch import nn

CONFIG = {
    "train_micro_batch_size_per_gpu": 8,
    "optimizer": {"type": "AdamW", "params": {"lr": 2e-4}},
    "zero_optimization": {"stage": 3, "stage3_gather_16bit_weights_on_model_save": True},
}


def main(out="runs/lute"):
    deepspeed.init_distributed()
    net = nn.Linear(48, 48)
    engine, *_ = deepspeed.initialize(model=net, model_parameters=net.parameters(), config=CONFIG)
    generator = torch.Generator().manual_seed(dist.get_rank())
    for step in range(1, 1001):
        strings = torch.rand(8, 48, generator=generator).to(engine.device)
        loss = nn.functional.mse_loss(engine(strings), strings)
        engine.backward(loss)
        engine.step()
        if step % 500 == 0:
            engine.save_checkpoint(out, tag=f"step{step}")
            if dist.get_rank() == 0:
                print(step, loss.item())
    engine.save_16bit_model(out)
    with deepspeed.zero.GatheredParameters(list(net.parameters()), modifier_rank=0):
        if dist.get_rank() == 0:
            torch.save(net.state_dict(), "lute.pt")


if __name__ == "__main__":
    main()
