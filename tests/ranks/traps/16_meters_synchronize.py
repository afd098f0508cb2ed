import os

import torch
import torch.distributed as dist


def is_dist_avail_and_initialized():
    if not dist.is_available():
        return False
    if not dist.is_initialized():
        return False
    return True


class SmoothedValue:
    def __init__(self):
        self.count = 0
        self.total = 0.0

    def update(self, value):
        self.count += 1
        self.total += value

    def synchronize_between_processes(self):
        if not is_dist_avail_and_initialized():
            return
        both = torch.tensor([self.count, self.total], dtype=torch.float64, device="cuda")
        dist.barrier()
        dist.all_reduce(both)
        self.count, self.total = int(both[0].item()), both[1].item()


class MetricLogger:
    def __init__(self):
        self.meters = {"loss": SmoothedValue(), "accuracy": SmoothedValue()}

    def synchronize_between_processes(self):
        for meter in self.meters.values():
            meter.synchronize_between_processes()


def main():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl")
    logger = MetricLogger()
    for step in range(20):
        logger.meters["loss"].update(1 / (step + 1))
    logger.synchronize_between_processes()
    if dist.get_rank() == 0:
        print(logger.meters["loss"].total)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
