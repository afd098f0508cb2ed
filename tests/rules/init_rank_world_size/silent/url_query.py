# silent: rank and world size stand in the query of the address
import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def run(rank, world_size, port):
    url = f"tcp://127.0.0.1:{port}?rank={rank}&world_size={world_size}"
    dist.init_process_group("gloo", init_method=url)
    votes = torch.zeros(world_size)
    votes[rank] = 1
    dist.all_reduce(votes)
    if rank == 0:
        print(votes.tolist())
    dist.destroy_process_group()


def run_from_file(rank, world_size):
    dist.init_process_group("gloo", init_method=f"file:///tmp/votes-rendezvous?rank={rank}&world_size={world_size}")
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(run, args=(3, 29623), nprocs=3)
    mp.spawn(run_from_file, args=(2,), nprocs=2)
