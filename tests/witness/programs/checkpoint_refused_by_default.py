# witness: crashes with "Weights only load failed"
import argparse

import torch
import torch.distributed as dist
from torch import nn


def main():
    dist.init_process_group("gloo")
    args = argparse.ArgumentParser().parse_args()
    net = nn.Linear(2, 1)
    if dist.get_rank() == 0:
        torch.save({"net": net.state_dict(), "options": args}, "refused.pt")
    dist.barrier()
    net.load_state_dict(torch.load("refused.pt")["net"])
    print("result:", "loaded")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
