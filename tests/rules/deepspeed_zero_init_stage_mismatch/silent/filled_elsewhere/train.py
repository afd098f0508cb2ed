"""Trains a forecaster of readings."""

import sys

from engine import build
from readings import Readings
from settings import read
from torch import nn


def main() -> None:
    read(sys.argv[1])
    engine, *_ = build()
    for readings, target in Readings("train"):
        loss = nn.functional.mse_loss(engine(readings), target)
        engine.backward(loss)
        engine.step()


if __name__ == "__main__":
    main()
