import lightning as L
import torch


def main():
    fabric = L.Fabric(accelerator="cuda", devices=2)
    fabric.launch()
    if fabric.global_rank == 0:
        print("rank zero unpacks the archive")
        fabric.barrier()
    else:
        fabric.barrier()
        print("it is there")
    mean = fabric.all_gather(torch.tensor(float(fabric.global_rank))).mean()
    if fabric.is_global_zero:
        print(mean.item())


if __name__ == "__main__":
    main()
