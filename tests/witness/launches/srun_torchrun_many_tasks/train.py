from __future__ import annotations

import torch
import torch.distributed as dist


def main():
    dist.init_process_group("gloo")
    count = torch.ones(1)
    dist.all_reduce(count)
    print("result:", count.item(), flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
