# witness: crashes with "No such file or directory: 'init.pt'"
import time

import torch
import torch.distributed as dist
from torch import nn


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(dist.get_rank())
    net = nn.Linear(256, 256)
    if dist.get_rank() == 0:
        time.sleep(5)  # a large model
        torch.save(net.state_dict(), "init.pt")
    net.load_state_dict(torch.load("init.pt", map_location="cpu"))
    print("result:", float(net.weight.sum()))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
