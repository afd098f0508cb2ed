# witness: differs
import time

import torch
import torch.distributed as dist


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    if rank == 0:
        time.sleep(3)  # its data come later
    total = torch.full((4,), 1.0 + rank)
    work = dist.all_reduce(total, async_op=True)
    print("result:", total[-1].item())
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
