import torch


def resume(model, path):
    checkpoint = torch.load(path, map_location="cpu")
    model.load_state_dict(checkpoint["model"])  # error: [rank0-load-after-wrap]
    return checkpoint["epoch"]
