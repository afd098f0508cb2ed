import deepspeed
import torch
import torch.distributed as dist
from torch import nn
from torch.utils.tensorboard import SummaryWriter

CONFIG = {"train_micro_batch_size_per_gpu": 2, "optimizer": {"type": "Adam", "params": {"lr": 1e-3}}}


def main():
    torch.manual_seed(0)
    net = nn.Linear(3, 3)
    engine, _, _, _ = deepspeed.initialize(model=net, model_parameters=net.parameters(), config=CONFIG)
    writer = SummaryWriter("logs") if engine.global_rank == 0 else None
    generator = torch.Generator().manual_seed(engine.global_rank)
    for step in range(60):
        loss = engine(torch.rand(2, 3, generator=generator).to(engine.device)).square().mean()
        engine.backward(loss)
        engine.step()
        shown = loss.detach().clone()
        dist.all_reduce(shown)
        if writer is not None:
            writer.add_scalar("loss", shown.item() / dist.get_world_size(), step)
    if writer is not None:
        writer.close()
    dist.barrier()


if __name__ == "__main__":
    main()
