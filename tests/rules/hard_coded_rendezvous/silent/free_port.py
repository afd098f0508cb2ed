# silent: the port is a free one that was looked for
import os
import socket

import torch
import torch.distributed as dist


def main():
    with socket.socket() as free:
        free.bind(("", 0))
        os.environ["MASTER_PORT"] = str(free.getsockname()[1])
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
