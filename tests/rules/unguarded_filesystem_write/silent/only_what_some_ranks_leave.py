import json
import os

import torch.distributed as dist


def size():
    return int(os.environ.get("WORLD_SIZE", 1))


def main():
    dist.init_process_group("gloo")
    found = [size()]
    if size() > 1:
        parts = [None] * size()
        dist.all_gather_object(parts, found)
        dist.destroy_process_group()
        if int(os.environ["RANK"]) != 0:
            return
        found = parts
    with open("figures.json", "w") as file:
        json.dump(found, file)


main()
