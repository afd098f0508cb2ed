"""Groups for the two-level exchange: within a node, and between the first ranks of the nodes."""

from dataclasses import dataclass

import torch
import torch.distributed as dist


@dataclass
class Levels:
    node: dist.ProcessGroup
    leaders: dist.ProcessGroup | None
    """None where the rank is not the first one of its node."""
    leader: int
    """The first rank of this node."""


def make_levels(per_node: int) -> Levels:
    rank, world_size = dist.get_rank(), dist.get_world_size()
    node, _ = dist.new_subgroups(per_node)
    leaders = None
    if rank % per_node == 0:
        leaders = dist.new_group(list(range(0, world_size, per_node)))  # error: [new-group-not-on-all-ranks]
    return Levels(node, leaders, rank - rank % per_node)


def mean_over_all(value: torch.Tensor, levels: Levels) -> torch.Tensor:
    dist.reduce(value, dst=levels.leader, group=levels.node)
    if levels.leaders is not None:
        dist.all_reduce(value, group=levels.leaders)
        value /= dist.get_world_size()
    dist.broadcast(value, src=levels.leader, group=levels.node)
    return value
