import torch.distributed as dist


def average(tensor, group=None):
    if not dist.is_initialized():
        return tensor
    dist.all_reduce(tensor, group=group)
    tensor /= dist.get_world_size()
    return tensor
