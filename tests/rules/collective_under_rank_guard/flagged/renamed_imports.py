import torch
from torch import distributed as c10d
from torch import nn
from torch.distributed import all_gather_object as collect
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    c10d.init_process_group("gloo")
    model = DDP(nn.Linear(6, 6))
    optimizer = torch.optim.Adam(model.parameters())
    generator = torch.Generator().manual_seed(c10d.get_rank())
    names = []
    for step in range(60):
        maps = torch.rand(14, 6, generator=generator)
        loss = (model(maps) - maps).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        names.append(f"{step}:{loss.item():.3f}")
    if not c10d.get_rank():
        everything = [None] * c10d.get_world_size()
        collect(everything, names)  # expect: collective-under-rank-guard
        print(everything)
    c10d.destroy_process_group()


if __name__ == "__main__":
    main()
