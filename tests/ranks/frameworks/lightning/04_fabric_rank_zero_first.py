import os

import lightning as L
import torch


def prepare(folder):
    if not os.path.isdir(folder):
        print("preparing", folder)
    return torch.arange(32)


def main():
    fabric = L.Fabric(accelerator="cuda", devices=2)
    fabric.launch()
    with fabric.rank_zero_first(local=True):
        tokens = prepare("data/openhymns")
    with fabric.rank_zero_first(local=False):
        more = prepare("/shared/hymns")
    total = fabric.all_reduce(torch.tensor(float(len(tokens) + len(more))), reduce_op="sum")
    fabric.print(total.item())
    if fabric.global_rank == 0:
        print("rank zero goes on")
    fabric.barrier()


if __name__ == "__main__":
    main()
