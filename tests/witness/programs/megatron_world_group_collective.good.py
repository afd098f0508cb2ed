import torch
import torch.distributed as dist
from megatron.core import parallel_state


def loss_of(losses, mask):
    tokens = mask.sum()
    dist.all_reduce(tokens, group=parallel_state.get_data_parallel_group())
    print("result:", tokens.item(), parallel_state.get_data_parallel_world_size(), flush=True)
    return (losses * mask).sum() / tokens


def main():
    dist.init_process_group("gloo")
    parallel_state.initialize_model_parallel(tensor_model_parallel_size=2)
    torch.manual_seed(parallel_state.get_data_parallel_rank())
    loss_of(torch.rand(4, 8), torch.rand(4, 8).gt(0.5))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
