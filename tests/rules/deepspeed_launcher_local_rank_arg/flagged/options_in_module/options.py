"""The options of the training."""

import argparse


def build() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser()
    group = parser.add_argument_group("model")
    group.add_argument("--width", type=int, default=256)
    parser.add_argument("--epochs", type=int, default=4)
    return parser
