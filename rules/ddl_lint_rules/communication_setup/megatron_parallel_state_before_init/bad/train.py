import torch
from megatron.core import parallel_state

torch.distributed.init_process_group("nccl")
size = parallel_state.get_data_parallel_world_size()  # error: [megatron-parallel-state-before-init]
parallel_state.initialize_model_parallel(tensor_model_parallel_size=2)
print(size)
torch.distributed.destroy_process_group()
