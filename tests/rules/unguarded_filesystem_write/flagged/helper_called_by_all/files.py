import os

import torch


def run_folder(root, name):
    path = os.path.join(root, name)
    if not os.path.exists(path):
        os.mkdir(path)  # error: [unguarded-filesystem-write]
    return path


def store(net, opt, path):
    torch.save({"net": net.state_dict(), "opt": opt.state_dict()}, path)  # error: [unguarded-filesystem-write]
