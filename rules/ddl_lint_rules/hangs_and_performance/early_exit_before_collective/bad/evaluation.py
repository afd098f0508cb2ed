import torch
import torch.distributed as dist
from distributed import is_main_process


@torch.no_grad()
def mean_error(model, loader, device):
    """Mean absolute error in metres over the held-out wells of all ranks; None on all ranks but the first."""
    model.eval()
    sums = torch.zeros(2, device=device)
    for curves, depth in loader:
        guess = model.module(curves.to(device)).squeeze(1)
        sums[0] += (guess - depth.to(device)).abs().sum()
        sums[1] += len(depth)
    model.train()
    if not is_main_process():
        return None  # error: [early-exit-before-collective]
    dist.all_reduce(sums)  # related: [early-exit-before-collective]
    return (sums[0] / sums[1]).item()
