import torch
import torch.distributed as dist


def evaluate(model, loader, rank, device):
    """The mean error over the wells that were held back."""
    total = torch.zeros(1, device=device)
    for curves, depth in loader:
        total += (model(curves.to(device)) - depth.to(device)).abs().mean()
    if rank != 0:
        return None
    dist.all_reduce(total)
    return total.item() / dist.get_world_size()
