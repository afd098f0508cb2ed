# silent: the helper does nothing in a world of one process, and is called by all ranks
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def get_world_size():
    return dist.get_world_size() if dist.is_initialized() else 1


def get_rank():
    return dist.get_rank() if dist.is_initialized() else 0


def reduce_dict(values, average=True):
    """Sum or mean of each value; only rank 0 has the right numbers."""
    world_size = get_world_size()
    if world_size < 2:
        return values
    with torch.no_grad():
        names = sorted(values)
        stacked = torch.stack([values[name] for name in names])
        dist.reduce(stacked, dst=0)
        if get_rank() == 0 and average:
            stacked /= world_size
        return dict(zip(names, stacked))


def main():
    dist.init_process_group("gloo")
    model = DDP(nn.Linear(4, 2))
    optimizer = torch.optim.Adam(model.parameters())
    generator = torch.Generator().manual_seed(get_rank())
    for step in range(100):
        quilts = torch.rand(10, 4, generator=generator)
        output = model(quilts)
        losses = {"shift": (output - 1).abs().mean(), "size": output.square().mean()}
        optimizer.zero_grad()
        sum(losses.values()).backward()
        optimizer.step()
        reduced = reduce_dict({name: value.detach() for name, value in losses.items()})
        if get_rank() == 0:
            print(step, {name: value.item() for name, value in reduced.items()})
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
