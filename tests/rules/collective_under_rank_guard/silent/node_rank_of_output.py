# silent: node 0 prints and copies, but all ranks of all nodes meet in the barrier
import argparse
import os

import torch.distributed as dist

parser = argparse.ArgumentParser()
parser.add_argument("--node_rank", type=int, default=0)
args = parser.parse_args()
dist.init_process_group("gloo")
if args.node_rank == 0:
    print("the first node")
if args.node_rank == 0 and int(os.environ["LOCAL_RANK"]) == 0:
    os.symlink("/data/flights", "/shared/flights")
dist.barrier()
if int(os.environ["NODE_RANK"]) > 0:
    dist.barrier()
else:
    print("node 0 makes the same call")
    dist.barrier()
dist.destroy_process_group()
