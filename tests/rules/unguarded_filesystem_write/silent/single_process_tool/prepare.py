# silent: prepare.py is started once, by hand; only train.py runs on every rank
import json
import os

import numpy as np
import torch


def main():
    os.makedirs("corpus")
    gen = np.random.default_rng(3)
    np.save("corpus/ids.npy", gen.integers(0, 1000, size=(5000, 33)))
    with open("corpus/meta.json", "w") as handle:
        json.dump({"vocab": 1000, "length": 33}, handle)
    torch.save(torch.zeros(1000), "corpus/counts.pt")


if __name__ == "__main__":
    main()
