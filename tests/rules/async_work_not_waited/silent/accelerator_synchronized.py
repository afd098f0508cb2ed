# silent: an accelerator that cannot be seen is waited for
import torch
import torch.distributed as dist
from deepspeed.accelerator import get_accelerator


def main():
    dist.init_process_group("nccl")
    torch.cuda.set_device(dist.get_rank() % torch.cuda.device_count())
    tensor = torch.rand(4, device="cuda")
    dist.all_reduce(tensor, async_op=True)
    get_accelerator().synchronize()
    print(tensor.sum())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
