import argparse

import torch
import torch.distributed as dist
from checkpoints import load, save


class Trainer:
    def __init__(self, args):
        self.path = args.checkpoint
        self.model = torch.nn.Linear(2, 2)

    def run(self):
        save(self.path, self.model)
        load(self.path, self.model)  # error: [checkpoint-read-without-barrier]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--checkpoint", default="model.pt")
    args = parser.parse_args()
    dist.init_process_group("gloo")
    Trainer(args).run()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
