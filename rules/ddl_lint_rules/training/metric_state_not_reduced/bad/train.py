import os

import torch
import torch.distributed as dist
import torchmetrics
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


class Recall(torchmetrics.Metric):
    def __init__(self):
        super().__init__()
        self.add_state("hits", default=torch.tensor(0.0))  # error: [metric-state-not-reduced]
        self.add_state("positives", default=torch.tensor(0.0), dist_reduce_fx="sum")

    def update(self, predicted, wanted):
        self.hits += (predicted & wanted).sum()  # related: [metric-state-not-reduced]
        self.positives += wanted.sum()

    def compute(self):
        return self.hits / self.positives


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    rows = TensorDataset(torch.randn(4096, 16), torch.randn(4096) > 0)
    loader = DataLoader(rows, batch_size=64, sampler=DistributedSampler(rows, shuffle=False))
    model = DDP(nn.Linear(16, 1).cuda(), device_ids=[local_rank]).eval()
    recall = Recall().cuda()
    with torch.no_grad():
        for x, y in loader:
            recall.update(model(x.cuda()).squeeze(1) > 0, y.cuda())
    value = recall.compute()
    if dist.get_rank() == 0:
        print("recall", value)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
