import os

import torch
import torch.distributed as dist
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


def main():
    dist.init_process_group("nccl")
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    model = FSDP(torch.nn.Linear(8, 8).cuda(), use_orig_params=True)  # error: [api-outside-pinned-version]
    print(model)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
