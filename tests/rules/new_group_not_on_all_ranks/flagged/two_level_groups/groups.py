"""Groups for the two-level exchange: within a node, and between the first ranks of the nodes."""

from dataclasses import dataclass

import torch
import torch.distributed as dist


@dataclass
class Levels:
    node: dist.ProcessGroup
    leaders: dist.ProcessGroup
    leader: int
    """The first rank of this node."""


def make_levels(per_node: int) -> Levels:
    rank, world_size = dist.get_rank(), dist.get_world_size()
    leader = rank - rank % per_node
    node = dist.new_group(list(range(leader, leader + per_node)))  # error: [new-group-not-on-all-ranks]
    leaders = dist.new_group(list(range(0, world_size, per_node)))
    return Levels(node, leaders, leader)


def mean_over_all(value: torch.Tensor, levels: Levels) -> torch.Tensor:
    dist.reduce(value, dst=levels.leader, group=levels.node)
    if dist.get_rank() == levels.leader:
        dist.all_reduce(value, group=levels.leaders)
        value /= dist.get_world_size()
    dist.broadcast(value, src=levels.leader, group=levels.node)
    return value
