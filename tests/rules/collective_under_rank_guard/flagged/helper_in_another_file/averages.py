import torch
import torch.distributed as dist


def mean_over_ranks(value: float) -> float:
    """The mean of a number over all processes."""
    total = torch.tensor([value], dtype=torch.float64)
    dist.all_reduce(total)
    return total.item() / dist.get_world_size()
