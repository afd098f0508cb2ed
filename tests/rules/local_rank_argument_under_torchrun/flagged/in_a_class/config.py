import argparse


class Options:
    def __init__(self):
        self.parser = argparse.ArgumentParser()
        self.parser.add_argument("--name", type=str, default="run")
        self.parser.add_argument("--local_rank", type=int, default=0)  # error: [local-rank-argument-under-torchrun]
        self.parser.add_argument("--dist-url", default="env://")

    def parse(self):
        return self.parser.parse_args()
