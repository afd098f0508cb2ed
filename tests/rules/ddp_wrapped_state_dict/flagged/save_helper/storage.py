import torch


def save_weights(model, path):
    torch.save(model.state_dict(), path)  # error: [ddp-wrapped-state-dict]


def load_weights(model, path):
    model.load_state_dict(torch.load(path, map_location="cpu"))
    return model
