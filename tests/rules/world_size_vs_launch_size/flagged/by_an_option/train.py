import argparse
import os

import torch.distributed as dist

parser = argparse.ArgumentParser()
parser.add_argument("--workers", type=int, default=2)
args = parser.parse_args()
dist.init_process_group("gloo", rank=int(os.environ["RANK"]), world_size=args.workers)  # error: [world-size-vs-launch-size]
dist.barrier()
dist.destroy_process_group()
