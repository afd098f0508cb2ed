import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def worker(rank, size):
    dist.init_process_group("nccl", init_method="tcp://127.0.0.1:23456", rank=rank, world_size=size)
    torch.cuda.set_device(rank)
    dist.destroy_process_group()


def main():
    size = torch.cuda.device_count()
    mp.spawn(worker, args=(size,), nprocs=size)


if __name__ == "__main__":
    main()
