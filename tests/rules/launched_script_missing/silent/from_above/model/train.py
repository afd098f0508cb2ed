import argparse

import torch.distributed as dist

parser = argparse.ArgumentParser()
parser.add_argument("--rounds", type=int, default=1)
arguments = parser.parse_args()
dist.init_process_group("gloo")
dist.destroy_process_group()
