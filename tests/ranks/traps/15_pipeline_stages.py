import os

import torch
import torch.distributed as dist
from torch import nn


class Pipeline:
    """Half of the ranks hold the encoder, half of them the decoder."""

    def __init__(self):
        self.rank, self.world_size = dist.get_rank(), dist.get_world_size()
        half = self.world_size // 2
        self.encoder_group = dist.new_group(list(range(half)))
        self.decoder_group = dist.new_group(list(range(half, self.world_size)))
        self.is_first_stage = self.rank < half
        self.group = self.encoder_group if self.is_first_stage else self.decoder_group
        torch.manual_seed(0)
        self.layer = nn.Linear(8, 8)

    def average(self):
        for parameter in self.layer.parameters():
            dist.all_reduce(parameter.data, group=self.group)
        if self.is_first_stage:
            dist.barrier(group=self.encoder_group)


def main():
    dist.init_process_group("gloo")
    pipeline = Pipeline()
    for _ in range(int(os.environ.get("STEPS", "3"))):
        pipeline.average()
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
