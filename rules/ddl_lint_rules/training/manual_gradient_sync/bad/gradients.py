"""Exchanges gradients between processes without a wrapper around the model."""

import torch.distributed as dist
from torch import nn


def same_start(model: nn.Module) -> None:
    """Every process begins with the weights of process 0."""
    for value in model.state_dict().values():
        dist.broadcast(value, src=0)


def exchange_gradients(model: nn.Module) -> None:
    for parameter in model.parameters():
        if parameter.grad is not None:
            dist.all_reduce(parameter.grad)  # error: [manual-gradient-sync]
