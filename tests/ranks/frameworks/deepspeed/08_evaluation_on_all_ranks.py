import deepspeed
import deepspeed.comm as dist
import torch
from torch import nn

CONFIG = {"train_micro_batch_size_per_gpu": 4, "optimizer": {"type": "Adam", "params": {"lr": 1e-3}}}


def evaluation(engine, batches):
    engine.eval()
    losses = 0
    for batch in batches:
        with torch.no_grad():
            losses += engine(batch).square().mean()
    losses = losses / len(batches)
    dist.all_reduce(losses)
    return (losses / dist.get_world_size()).item()


def main():
    torch.manual_seed(0)
    net = nn.Linear(7, 1)
    engine, _, _, _ = deepspeed.initialize(model=net, model_parameters=net.parameters(), config=CONFIG)
    generator = torch.Generator().manual_seed(engine.global_rank)
    held_out = [torch.rand(4, 7, generator=generator).to(engine.device) for _ in range(5)]
    best = float("inf")
    for epoch in range(10):
        engine.train()
        for _ in range(20):
            engine.backward(engine(torch.rand(4, 7, generator=generator).to(engine.device)).square().mean())
            engine.step()
        loss = evaluation(engine, held_out)
        if engine.local_rank == 0:
            print(epoch, loss)
        if loss < best:
            best = loss
            engine.save_checkpoint("best")


if __name__ == "__main__":
    main()
