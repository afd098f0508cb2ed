import time

import torch
from megatron.core import parallel_state
from torch import nn


def is_last_rank():
    return torch.distributed.get_rank() == torch.distributed.get_world_size() - 1


def print_rank_last(message):
    if is_last_rank():
        print(message, flush=True)


def slowest(seconds):
    """The longest time that any process took."""
    value = torch.tensor([seconds], device="cuda")
    torch.distributed.all_reduce(value, op=torch.distributed.ReduceOp.MAX)
    return value.item()


def main():
    torch.distributed.init_process_group("nccl")
    torch.cuda.set_device(torch.distributed.get_rank() % torch.cuda.device_count())
    parallel_state.initialize_model_parallel(tensor_model_parallel_size=2)
    block = nn.TransformerEncoderLayer(64, 4).cuda()
    for iteration in range(100):
        started = time.perf_counter()
        block(torch.rand(32, 8, 64, device="cuda")).sum().backward()
        for parameter in block.parameters():
            torch.distributed.all_reduce(parameter.grad, group=parallel_state.get_data_parallel_group())
        block.zero_grad()
        elapsed = time.perf_counter() - started
        if is_last_rank():
            print_rank_last(f"{iteration}: {1000 * slowest(elapsed):.1f} ms")  # expect: collective-under-rank-guard


if __name__ == "__main__":
    main()
    torch.distributed.destroy_process_group()
