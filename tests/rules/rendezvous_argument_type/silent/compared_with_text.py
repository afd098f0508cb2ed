# silent: the text is compared with a text
import os

import torch
import torch.distributed as dist


def main():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl")
    if os.environ["RANK"] == "0":
        print("hello")
    if os.environ.get("LOCAL_RANK", "0") in ("0", "-1"):
        print("first of this node")
    if os.environ.get("RANK", -1) != -1:
        print("started by a launcher")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
