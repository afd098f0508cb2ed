import json
import os

import colossalai
import torch
import torch.distributed as dist
from colossalai.booster import Booster
from colossalai.booster.plugin import GeminiPlugin
from colossalai.cluster import DistCoordinator
from colossalai.nn.optimizer import HybridAdam
from torch import nn


def resume_folder(root, coordinator):
    box = [None]
    if coordinator.is_master() and os.path.exists(os.path.join(root, "newest.json")):
        with open(os.path.join(root, "newest.json")) as handle:
            box = [json.load(handle)["folder"]]
    dist.broadcast_object_list(box, src=0)
    return box[0]


def main():
    colossalai.launch_from_torch()
    coordinator = DistCoordinator()
    booster = Booster(plugin=GeminiPlugin())
    model = nn.Linear(16, 16)
    optimizer = HybridAdam(model.parameters(), lr=1e-3)
    model, optimizer, *_ = booster.boost(model, optimizer)
    folder = resume_folder("runs", coordinator)
    if folder is not None:
        booster.load_model(model, os.path.join(folder, "model"))
        booster.load_optimizer(optimizer, os.path.join(folder, "optimizer"))
        coordinator.print_on_master("resumed")
    dist.barrier()


if __name__ == "__main__":
    main()
