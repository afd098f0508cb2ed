import torch
from megatron.core import parallel_state
from megatron.training.utils import average_losses_across_data_parallel_group


def loss_func(loss_mask, output_tensor):
    loss = torch.sum(output_tensor * loss_mask) / loss_mask.sum()
    averaged = average_losses_across_data_parallel_group([loss])
    return loss * parallel_state.get_data_parallel_world_size(), {"lm loss": averaged[0]}
