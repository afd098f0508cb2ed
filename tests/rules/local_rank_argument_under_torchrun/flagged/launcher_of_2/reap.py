import argparse

import torch
import torch.distributed as dist

parser = argparse.ArgumentParser()
parser.add_argument("--local_rank", type=int, required=True)  # error: [local-rank-argument-under-torchrun]
parser.add_argument("--harvest", default="barley")
options, rest = parser.parse_known_args()
torch.cuda.set_device(options.local_rank)
dist.init_process_group("nccl", init_method="env://")
print(options.harvest, rest)
dist.destroy_process_group()
