import argparse

import deepspeed
import torch
from checkpointer import Checkpointer
from torch import nn


class Trainer:
    def __init__(self, args):
        net = nn.Linear(30, 5)
        self.engine, _, _, _ = deepspeed.initialize(args=args, model=net, model_parameters=net.parameters())
        self.checkpointer = Checkpointer(self.engine, args.out)
        self.generator = torch.Generator().manual_seed(self.engine.global_rank)

    def step(self):
        marsh = torch.rand(16, 30, generator=self.generator).to(self.engine.device)
        loss = nn.functional.cross_entropy(self.engine(marsh), marsh[:, :5].argmax(1))
        self.engine.backward(loss)
        self.engine.step()
        return loss.item()

    def run(self, steps):
        for step in range(1, steps + 1):
            loss = self.step()
            if step % 200 == 0 and self.engine.global_rank == 0:
                self.checkpointer.save(step, loss)  # error: [sharded-state-under-rank-guard]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--local_rank", type=int, default=-1)
    parser.add_argument("--out", default="runs/marsh")
    parser = deepspeed.add_config_arguments(parser)
    Trainer(parser.parse_args()).run(2000)


if __name__ == "__main__":
    main()
