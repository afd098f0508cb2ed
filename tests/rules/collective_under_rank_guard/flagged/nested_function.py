import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def train(rank, world_size, steps):
    model = DDP(nn.Linear(15, 1))
    optimizer = torch.optim.NAdam(model.parameters())
    generator = torch.Generator().manual_seed(rank)
    seen = 0

    def total_seen():
        count = torch.tensor(seen)
        dist.all_reduce(count)
        return int(count)

    for step in range(steps):
        batch = torch.rand(18, 15, generator=generator)
        loss = (model(batch) - 1).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        seen += len(batch)
        if not rank and step % 20 == 0:
            print(f"{total_seen()} feathers on {world_size} processes")  # expect: collective-under-rank-guard


def main():
    dist.init_process_group("gloo")
    train(dist.get_rank(), dist.get_world_size(), 100)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
