import os

import numpy
import torch
from megatron.core import mpu
from megatron.training import print_rank_0
from megatron.training.initialize import initialize_megatron


def build_index(path, documents, seed):
    if torch.distributed.get_rank() == 0 and not os.path.isfile(path):
        order = numpy.random.RandomState(seed).permutation(documents)
        numpy.save(path, order, allow_pickle=True)
    counts = torch.tensor([1], dtype=torch.long, device="cuda")
    torch.distributed.all_reduce(counts, group=mpu.get_data_parallel_group())
    torch.distributed.all_reduce(counts, group=mpu.get_pipeline_model_parallel_group())
    world = torch.distributed.get_world_size() // torch.distributed.get_world_size(
        group=mpu.get_tensor_model_parallel_group()
    )
    assert counts[0].item() == world
    torch.distributed.barrier()
    order = numpy.load(path, allow_pickle=True, mmap_mode="r")
    print_rank_0(f"{len(order)} documents")
    return order


if __name__ == "__main__":
    initialize_megatron()
    build_index("index.npy", documents=1000, seed=7)
