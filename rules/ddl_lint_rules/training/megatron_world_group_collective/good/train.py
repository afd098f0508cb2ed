import torch
from megatron.core import parallel_state


def loss_func(loss_mask, output_tensor):
    losses = output_tensor.float().view(-1)
    tokens = loss_mask.sum()
    torch.distributed.all_reduce(tokens, group=parallel_state.get_data_parallel_group(with_context_parallel=True))
    loss = torch.sum(losses * loss_mask.view(-1)) / tokens
    return loss, {"lm loss": loss / parallel_state.get_data_parallel_world_size()}
