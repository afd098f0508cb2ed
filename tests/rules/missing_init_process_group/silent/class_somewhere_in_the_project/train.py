import torch
import torch.distributed as dist
from plum_trainer import PlumTrainer
from torch.utils.data import DataLoader, DistributedSampler


def main():
    trainer = PlumTrainer(torch.nn.Linear(2, 2))
    plums = torch.zeros(8, 2)
    loader = DataLoader(plums, sampler=DistributedSampler(plums))
    for epoch in range(2):
        loader.sampler.set_epoch(epoch)
        for plum in loader:
            trainer.step(plum)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
