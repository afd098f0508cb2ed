import os

import torch
import torch.distributed as dist


def node_groups():
    per_node = int(os.environ["LOCAL_WORLD_SIZE"])
    own = None
    for first in range(0, dist.get_world_size(), per_node):
        ranks = list(range(first, first + per_node))
        group = dist.new_group(ranks)
        if dist.get_rank() in ranks:
            own = group
    leaders = dist.new_group(list(range(0, dist.get_world_size(), per_node)))
    return own, leaders


def main():
    dist.init_process_group("gloo")
    own, leaders = node_groups()
    local_rank = int(os.environ["LOCAL_RANK"])
    moisture = torch.full((1,), float(dist.get_rank()))
    dist.all_reduce(moisture, group=own)
    if local_rank == 0:
        dist.all_reduce(moisture, group=leaders)
    dist.barrier(group=own)
    print(moisture.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
