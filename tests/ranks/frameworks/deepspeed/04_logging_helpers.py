import deepspeed
import deepspeed.comm as dist
import torch
from deepspeed.accelerator import get_accelerator


def print_rank_0(message, rank=None):
    if rank is not None:
        if rank <= 0:
            print(message, flush=True)
    elif dist.is_initialized():
        if dist.get_rank() == 0:
            print(message, flush=True)
    else:
        print(message, flush=True)


def get_all_reduce_mean(tensor):
    dist.all_reduce(tensor, op=dist.ReduceOp.SUM)
    return tensor / dist.get_world_size()


def main():
    deepspeed.init_distributed()
    device = torch.device(get_accelerator().device_name(), get_accelerator().current_device())
    for epoch in range(3):
        mean = get_all_reduce_mean(torch.full((1,), float(dist.get_rank()), device=device))
        print_rank_0(f"epoch {epoch}: {mean.item()}", dist.get_rank())
        dist.barrier()


if __name__ == "__main__":
    main()
