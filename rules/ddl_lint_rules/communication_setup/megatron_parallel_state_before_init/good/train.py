import torch
from megatron.core import parallel_state

torch.distributed.init_process_group("nccl")
parallel_state.initialize_model_parallel(tensor_model_parallel_size=2)
size = parallel_state.get_data_parallel_world_size()
print(size)
torch.distributed.destroy_process_group()
