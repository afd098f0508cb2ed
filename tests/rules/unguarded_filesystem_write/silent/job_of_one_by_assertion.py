import json
import os

import torch
import torch.distributed as dist


def main():
    assert int(os.environ["WORLD_SIZE"]) == 1
    dist.init_process_group("gloo")
    total = torch.ones(1)
    dist.all_reduce(total)
    with open("weights.json", "w") as file:
        json.dump(total.tolist(), file)


main()
