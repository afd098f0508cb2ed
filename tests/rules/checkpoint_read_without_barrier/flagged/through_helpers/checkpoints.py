import torch
import torch.distributed as dist


def is_main_process():
    return not dist.is_initialized() or dist.get_rank() == 0


def save(path, model):
    if is_main_process():
        torch.save({"model": model.state_dict()}, path)


def load(path, model):
    state = torch.load(path, map_location="cpu")
    model.load_state_dict(state["model"])
