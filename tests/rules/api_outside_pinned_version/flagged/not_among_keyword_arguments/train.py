"""What `checkpoint` refuses among them."""

import os

import torch
import torch.distributed as dist
from torch.utils.checkpoint import checkpoint


def main():
    dist.init_process_group("nccl")
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    layer = torch.nn.Linear(4, 4).cuda()
    grown = checkpoint(layer, torch.ones(2, 4, device="cuda", requires_grad=True), context_fn=None)  # error: [api-outside-pinned-version]
    print(grown.shape)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
