# silent: the backend depends on the machine
import os

import torch
import torch.distributed as dist


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    backend = "nccl" if torch.cuda.device_count() > 1 else "gloo"
    dist.init_process_group(backend)
    done = torch.tensor([0])
    dist.all_reduce(done)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
