"""Print tomorrow's water levels from a trained network: python predict.py levels.npy"""

import argparse

import numpy as np
import torch

from river.checkpoint import load_weights
from river.config import Config
from river.model import RiverNet


def main():
    config = Config()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("levels", help="array of shape (days, gauges), in metres")
    args = parser.parse_args()
    net = RiverNet(config.days_back, config.gauges, config.width)
    load_weights(net, config.checkpoint)
    net.eval()
    recent = torch.from_numpy(np.load(args.levels)).float()[-config.days_back :]
    with torch.no_grad():
        tomorrow = net(recent.unsqueeze(0)).squeeze(0)
    for gauge, level in enumerate(tomorrow.tolist()):
        print(f"gauge {gauge}: {level:.2f} m")


if __name__ == "__main__":
    main()
