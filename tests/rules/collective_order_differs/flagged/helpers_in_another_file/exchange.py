"""What the first rank tells the others at the end of an epoch."""

import torch.distributed as dist


def publish(plan, counts):
    box = [plan]
    dist.broadcast_object_list(box, src=0)
    dist.all_reduce(counts)
    return box[0]


def receive(counts):
    dist.all_reduce(counts)
    box = [None]
    dist.broadcast_object_list(box, src=0)
    return box[0]
