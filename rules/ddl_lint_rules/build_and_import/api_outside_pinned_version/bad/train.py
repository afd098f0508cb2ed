import os

import torch
import torch.distributed as dist
from torch.distributed.fsdp import fully_shard  # error: [api-outside-pinned-version]


def main():
    dist.init_process_group("nccl")
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    model = torch.nn.Linear(8, 8).cuda()
    fully_shard(model)
    print(model)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
