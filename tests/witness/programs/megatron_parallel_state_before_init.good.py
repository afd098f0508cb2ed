import torch
import torch.distributed as dist
from megatron.core import parallel_state


def main():
    dist.init_process_group("gloo")
    parallel_state.initialize_model_parallel(tensor_model_parallel_size=1)
    size = parallel_state.get_data_parallel_world_size()
    count = torch.ones(size)
    dist.all_reduce(count, group=parallel_state.get_data_parallel_group())
    print("result:", count.tolist(), flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
