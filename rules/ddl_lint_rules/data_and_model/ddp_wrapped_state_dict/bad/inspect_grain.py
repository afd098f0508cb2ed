"""Name the variety of a batch of photographs with the trained network: python inspect_grain.py photos.npy"""

import sys

import numpy as np
import torch

from grain_model import GrainNet

CHECKPOINT = "grain_best.pt"


def main():
    net = GrainNet()
    net.load_state_dict(torch.load(CHECKPOINT, map_location="cpu"))  # related: [ddp-wrapped-state-dict]
    net.eval()
    photos = torch.from_numpy(np.load(sys.argv[1])).float()
    with torch.no_grad():
        print(net(photos).argmax(dim=1).tolist())


if __name__ == "__main__":
    main()
