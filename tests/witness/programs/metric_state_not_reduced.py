# witness: wrong, on lightning
import torch
import torch.distributed as dist
from torchmetrics import Metric


class Hits(Metric):
    def __init__(self):
        super().__init__()
        self.add_state("hits", default=torch.tensor(0))
        self.add_state("total", default=torch.tensor(0), dist_reduce_fx="sum")

    def update(self, scores, labels):
        self.hits += (scores == labels).sum()
        self.total += labels.numel()

    def compute(self):
        return self.hits / self.total


def main():
    dist.init_process_group("gloo")
    metric = Hits()
    metric.update(torch.arange(4), torch.arange(4))
    print("result:", metric.compute().tolist())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
