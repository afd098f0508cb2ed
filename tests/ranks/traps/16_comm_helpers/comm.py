import functools

import torch
import torch.distributed as dist


def get_world_size():
    if not dist.is_available() or not dist.is_initialized():
        return 1
    return dist.get_world_size()


def get_rank():
    if not dist.is_available() or not dist.is_initialized():
        return 0
    return dist.get_rank()


def is_main_process():
    return get_rank() == 0


def synchronize():
    if not dist.is_available() or not dist.is_initialized():
        return
    if dist.get_world_size() == 1:
        return
    if dist.get_backend() == dist.Backend.NCCL:
        dist.barrier(device_ids=[torch.cuda.current_device()])
    else:
        dist.barrier()


@functools.lru_cache()
def _global_gloo_group():
    if dist.get_backend() == "nccl":
        return dist.new_group(backend="gloo")
    return dist.group.WORLD


def all_gather(data, group=None):
    if get_world_size() == 1:
        return [data]
    if group is None:
        group = _global_gloo_group()
    output = [None] * dist.get_world_size(group)
    dist.all_gather_object(output, data, group=group)
    return output


def reduce_dict(values, average=True):
    world_size = get_world_size()
    if world_size < 2:
        return values
    with torch.no_grad():
        names = sorted(values)
        stacked = torch.stack([values[name] for name in names], dim=0)
        dist.reduce(stacked, dst=0)
        if dist.get_rank() == 0 and average:
            stacked /= world_size
        return dict(zip(names, stacked))
