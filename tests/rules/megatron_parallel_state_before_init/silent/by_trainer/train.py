import torch
from megatron.core import parallel_state

from megatron.training import initialize_megatron

initialize_megatron()
print(parallel_state.get_data_parallel_world_size())
