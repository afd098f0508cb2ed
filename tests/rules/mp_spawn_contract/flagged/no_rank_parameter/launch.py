"""The target of another file has no parameter for the index."""

import torch.multiprocessing as mp
from training import train_model
from training.config import Config


def main():
    config = Config(steps=60, lr=0.05)
    mp.spawn(train_model, args=(config,), nprocs=config.world_size)  # error: [mp-spawn-contract]


if __name__ == "__main__":
    main()
