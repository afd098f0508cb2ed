import argparse


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--lr", type=float, default=2e-4)
    parser.add_argument("--hidden", type=int, default=64)
    parser.add_argument("--local_rank", type=int, default=0)  # error: [local-rank-argument-under-torchrun]
    return parser.parse_args()
