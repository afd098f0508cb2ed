# witness: crashes with "address already in use"
import os

import torch
import torch.distributed as dist


def main():
    os.environ["RANK"] = "0"
    dist.init_process_group("gloo")
    value = torch.ones(2) * (1 + int(os.environ["LOCAL_RANK"]))
    dist.all_reduce(value)
    print("result:", value.tolist())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
