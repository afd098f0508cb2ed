import json

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
with open("settings.json") as file:
    settings = json.load(file)
print(settings["train_batch_size"], dist.get_world_size())
dist.destroy_process_group()
