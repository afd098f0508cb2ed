import torch
from megatron.core import parallel_state

torch.distributed.init_process_group("nccl")
parallel_state.initialize_model_parallel(tensor_model_parallel_size=2)
parallel_state.initialize_model_parallel(tensor_model_parallel_size=4)  # error: [megatron-parallel-state-before-init]
torch.distributed.destroy_process_group()
