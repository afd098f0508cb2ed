# witness: crashes
import torch
import torch.distributed as dist
from torch import nn


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(dist.get_rank())
    net = nn.Linear(256, 256)
    if dist.get_rank() == 0:
        torch.save([net.state_dict() for _ in range(20)], "init.pt")
    net.load_state_dict(torch.load("init.pt", map_location="cpu")[0])
    print("result:", float(net.weight.sum()))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
