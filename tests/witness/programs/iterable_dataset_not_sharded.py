# witness: wrong
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, IterableDataset


class Readings(IterableDataset):
    def __init__(self, rows):
        super().__init__()
        self.rows = rows

    def __iter__(self):
        for row in self.rows:
            yield row, row.sum().reshape(1)


def main():
    dist.init_process_group("gloo")
    readings = Readings(torch.arange(32.0).reshape(16, 2) / 32)
    loader = DataLoader(readings, batch_size=4)
    model = DDP(torch.nn.Linear(2, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    seen = 0
    for x, y in loader:
        loss = (model(x) - y).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        seen += len(x)
    print("result:", seen, "samples on this rank")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
