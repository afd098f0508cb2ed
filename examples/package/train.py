"""Train the river model on two nodes; on each of them:

torchrun --nnodes=2 --nproc_per_node=gpu --rdzv_backend=c10d --rdzv_endpoint=$HEAD:29400 train.py
"""

import argparse

from river.config import Config
from river.data import build_loaders
from river.distributed import cleanup, setup
from river.model import RiverNet
from river.trainer import Trainer


def parse_config():
    defaults = Config()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=defaults.epochs)
    parser.add_argument("--lr", type=float, default=defaults.lr)
    parser.add_argument("--folder", default=defaults.folder)
    args = parser.parse_args()
    return Config(epochs=args.epochs, lr=args.lr, folder=args.folder)


def main():
    config = parse_config()
    process = setup()
    train_loader, test_loader = build_loaders(config, process)
    model = RiverNet(config.days_back, config.gauges, config.width)
    trainer = Trainer(model, config, process)
    trainer.fit(train_loader, test_loader)
    cleanup()


if __name__ == "__main__":
    main()
