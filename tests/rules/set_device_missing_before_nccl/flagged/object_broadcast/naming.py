import time

import torch.distributed as dist


def shared_name():
    """The name that rank 0 made up, on all ranks."""
    box = [time.strftime("run-%Y%m%d-%H%M%S") if dist.get_rank() == 0 else None]
    dist.broadcast_object_list(box, src=0)  # error: [set-device-missing-before-nccl]
    return box[0]
