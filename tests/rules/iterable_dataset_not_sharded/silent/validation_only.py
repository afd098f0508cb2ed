# silent: every rank validates on the whole stream
import sys

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, IterableDataset


class Rows(IterableDataset):
    def __init__(self, path):
        super().__init__()
        self.path = path

    def __iter__(self):
        with open(self.path) as stream:
            for line in stream:
                *values, target = map(float, line.split(","))
                yield torch.tensor(values), torch.tensor(target)


def main(path):
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    model = DDP(nn.Linear(8, 1))
    model.load_state_dict(torch.load("trained.pt", map_location="cpu"))
    model.eval()
    total, count = 0.0, 0
    with torch.no_grad():
        for inputs, target in DataLoader(Rows(path), batch_size=64):
            total += nn.functional.mse_loss(model(inputs).squeeze(1), target, reduction="sum").item()
            count += len(target)
    if dist.get_rank() == 0:
        print("error", total / max(count, 1))
    dist.destroy_process_group()


if __name__ == "__main__":
    main(sys.argv[1])
