import os

import torch
from torch.distributed import all_reduce, destroy_process_group, init_process_group


class AverageMeter:
    def __init__(self):
        self.sum = 0.0
        self.count = 0

    def update(self, value, n=1):
        self.sum += value * n
        self.count += n

    def synchronize(self):
        total = torch.tensor([self.sum, self.count], dtype=torch.float64)  # expect: cpu-tensor-in-nccl-collective
        all_reduce(total)
        self.sum, self.count = total.tolist()


class Trainer:
    def __init__(self):
        self.local_rank = int(os.environ["LOCAL_RANK"])
        torch.cuda.set_device(self.local_rank)
        init_process_group("nccl")
        self.model = torch.nn.Linear(4, 1).cuda(self.local_rank)
        self.meter = AverageMeter()

    def evaluate(self, batches):
        for batch in batches:
            self.meter.update(self.model(batch.cuda(self.local_rank)).mean().item(), len(batch))
        self.meter.synchronize()


if __name__ == "__main__":
    trainer = Trainer()
    trainer.evaluate([torch.randn(8, 4) for _ in range(4)])
    destroy_process_group()
