import torch
import torch.distributed as dist


def reduce_loss_dict(losses):
    world_size = dist.get_world_size()
    if world_size < 2:
        return losses
    with torch.no_grad():
        keys = sorted(losses)
        values = torch.stack([losses[key] for key in keys], 0)
        dist.reduce(values, dst=0)
        if dist.get_rank() == 0:
            values /= world_size
        return {key: value for key, value in zip(keys, values)}


def reduce_value(value, average=True):
    dist.reduce(value, dst=0)
    if dist.get_rank() == 0 and average:
        value /= dist.get_world_size()
    return value


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    generator = torch.Generator().manual_seed(rank)
    for step in range(5):
        losses = {"rough": torch.rand((), generator=generator), "fine": torch.rand((), generator=generator)}
        reduced = reduce_loss_dict(losses)
        total = reduce_value(torch.ones(1))
        if rank == 0:
            print(step, {key: value.item() for key, value in reduced.items()}, total.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
