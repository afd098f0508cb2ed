import torch
import torch.distributed as dist
from utils.distributed import get_world_size, is_main_process


@torch.no_grad()
def evaluate(model, batches):
    model.eval()
    wrong = torch.zeros(2)
    for x, y in batches:
        wrong[0] += (model.module(x).argmax(1) != y).sum()
        wrong[1] += len(y)
    model.train()
    if not is_main_process():
        return {}  # error: [early-exit-before-collective]
    if get_world_size() > 1:
        dist.all_reduce(wrong)
    return {"error": (wrong[0] / wrong[1]).item()}
