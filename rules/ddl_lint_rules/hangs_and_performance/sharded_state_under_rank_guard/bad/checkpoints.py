"""Checkpoints of sharded models, in one file."""

import torch
import torch.distributed as dist
from torch.distributed.fsdp import FullStateDictConfig, FullyShardedDataParallel, StateDictType


def save_full(model: FullyShardedDataParallel, path: str) -> None:
    """Write the whole model from rank 0."""
    config = FullStateDictConfig(offload_to_cpu=True, rank0_only=True)
    if dist.get_rank() == 0:  # related: [sharded-state-under-rank-guard]
        with FullyShardedDataParallel.state_dict_type(model, StateDictType.FULL_STATE_DICT, config):
            weights = model.state_dict()  # error: [sharded-state-under-rank-guard]
        torch.save(weights, path)
