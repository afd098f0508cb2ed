import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def launch(main_func, gpus, num_machines=1, machine_rank=0, dist_url=None, args=()):
    """Run `main_func(*args)` in one process per GPU, each in the process group."""
    world_size = num_machines * gpus
    mp.spawn(_worker, nprocs=gpus, args=(main_func, world_size, gpus, machine_rank, dist_url, args), daemon=False)


def _worker(local_rank, main_func, world_size, gpus, machine_rank, dist_url, args):
    global_rank = machine_rank * gpus + local_rank
    torch.cuda.set_device(local_rank)
    dist.init_process_group("NCCL", init_method=dist_url, world_size=world_size, rank=global_rank)
    dist.barrier()
    try:
        main_func(*args)
    finally:
        dist.destroy_process_group()
