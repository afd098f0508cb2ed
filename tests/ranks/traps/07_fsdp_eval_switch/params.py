import argparse
import os


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--use-fsdp-eval", action="store_true", help="all ranks evaluate the sharded model")
    parser.add_argument("--fsdp", action="store_true")
    parser.add_argument("--epochs", type=int, default=4)
    args = parser.parse_args()
    args.rank = int(os.environ["RANK"])
    args.local_rank = int(os.environ["LOCAL_RANK"])
    args.world_size = int(os.environ["WORLD_SIZE"])
    return args


def is_master(args):
    return args.rank == 0
