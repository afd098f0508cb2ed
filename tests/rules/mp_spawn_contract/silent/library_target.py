# silent: the target's parameters are not visible, it belongs to a package outside the project
import argparse

import torch.multiprocessing as mp
from millstone.engine import launch_worker
from millstone.runners import Runner


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--recipe", default="rye.toml")
    args = parser.parse_args()
    mp.spawn(launch_worker, args=(args.processes, args.recipe), nprocs=args.processes)

    runner = Runner(args.recipe)
    mp.spawn(runner.run, args=(args.processes,), nprocs=args.processes, join=True)


if __name__ == "__main__":
    main()
