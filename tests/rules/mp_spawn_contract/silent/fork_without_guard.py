# silent: forked children do not import the main module again, so the call may stand at the top level
import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def histogram(rank, world_size):
    dist.init_process_group("gloo", init_method="tcp://127.0.0.1:29641", rank=rank, world_size=world_size)
    generator = torch.Generator().manual_seed(rank)
    counts = torch.histc(torch.randn(10_000, generator=generator), bins=12, min=-3, max=3)
    dist.reduce(counts, dst=0)
    if rank == 0:
        print(counts.int().tolist())
    dist.destroy_process_group()


processes = 3
mp.start_processes(histogram, args=(processes,), nprocs=processes, start_method="fork")
