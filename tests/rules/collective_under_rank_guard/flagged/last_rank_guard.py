import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    world_size = dist.get_world_size()
    model = DDP(nn.Linear(10, 1))
    optimizer = torch.optim.Adagrad(model.parameters())
    generator = torch.Generator().manual_seed(rank)
    for step in range(1, 301):
        seeds = torch.rand(64, 10, generator=generator)
        loss = nn.functional.mse_loss(model(seeds), seeds.std(1, keepdim=True))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 100 == 0 and rank == world_size - 1:
            parts = [torch.zeros(1) for _ in range(world_size)]
            dist.all_gather(parts, loss.detach().reshape(1))  # expect: collective-under-rank-guard
            print(step, [round(part.item(), 4) for part in parts])
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
