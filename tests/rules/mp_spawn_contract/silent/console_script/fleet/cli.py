# silent: look-alike, main() is the console script of the package and nobody calls it at import time
import argparse

import torch.multiprocessing as mp

from .work import work


def main():
    parser = argparse.ArgumentParser(prog="fleet")
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    mp.spawn(work, args=(options.processes, "tcp://127.0.0.1:29663"), nprocs=options.processes)
