# silent: these functions write without asking, but every caller asks before
import json
import shutil
from pathlib import Path

import torch


def fresh_folder(folder):
    if Path(folder).exists():
        shutil.rmtree(folder)
    Path(folder).mkdir(parents=True)


def write_all(folder, net, numbers):
    write_weights(Path(folder) / "net.pt", net)
    with open(Path(folder) / "numbers.json", "w") as handle:
        json.dump(numbers, handle)


def write_weights(path, net):
    torch.save(net.state_dict(), path)
