import torch
from megatron.core import parallel_state


def loss_func(loss_mask, output_tensor):
    longest = loss_mask.sum()
    torch.distributed.all_reduce(longest, op=torch.distributed.ReduceOp.MAX)
    return output_tensor.mean() / parallel_state.get_data_parallel_world_size(), longest
