import os

import torch

_DATA_PARALLEL_GROUP = None
_TENSOR_PARALLEL_GROUP = None


def initialize_model_parallel(size):
    global _DATA_PARALLEL_GROUP, _TENSOR_PARALLEL_GROUP
    world_size, rank = torch.distributed.get_world_size(), torch.distributed.get_rank()
    if rank == 0:
        print(f"> tensor parallel size {size}")
    for offset in range(size):
        ranks = range(offset, world_size, size)
        group = torch.distributed.new_group(ranks)
        if rank in ranks:
            _DATA_PARALLEL_GROUP = group
    for index in range(world_size // size):
        ranks = range(index * size, (index + 1) * size)
        group = torch.distributed.new_group(ranks)
        if rank in ranks:
            _TENSOR_PARALLEL_GROUP = group


def get_data_parallel_rank():
    return torch.distributed.get_rank(group=_DATA_PARALLEL_GROUP)


def copy_to_region(tensor):
    if torch.distributed.get_world_size(group=_TENSOR_PARALLEL_GROUP) == 1:
        return tensor
    torch.distributed.all_reduce(tensor, group=_TENSOR_PARALLEL_GROUP)
    return tensor


def main():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    torch.distributed.init_process_group("nccl")
    initialize_model_parallel(2)
    hidden = copy_to_region(torch.ones(4, device="cuda"))
    if get_data_parallel_rank() == 0:
        torch.distributed.barrier(group=_TENSOR_PARALLEL_GROUP)
        print(hidden.sum().item())
    torch.distributed.barrier()


if __name__ == "__main__":
    main()
