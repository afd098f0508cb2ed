# silent: look-alike, Process objects of a loop, each with its own rank; options arrive in a dict
import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def ring(rank, size, options):
    dist.init_process_group(**options, rank=rank, world_size=size)
    token = torch.tensor([1.0]) if rank == 0 else torch.zeros(1)
    if rank == 0:
        dist.send(token, dst=1)
        dist.recv(token, src=size - 1)
    else:
        dist.recv(token, src=rank - 1)
        dist.send(token + 1, dst=(rank + 1) % size)
    print(rank, token.item())
    dist.destroy_process_group()


def positional(size, me):
    dist.init_process_group("gloo", "tcp://127.0.0.1:29627", None, size, me)
    dist.barrier()
    dist.destroy_process_group()


def run_all(target, argument_lists):
    processes = [mp.Process(target=target, args=arguments) for arguments in argument_lists]
    for process in processes:
        process.start()
    for process in processes:
        process.join()


if __name__ == "__main__":
    mp.set_start_method("spawn")
    size = 3
    options = {"backend": "gloo", "init_method": "tcp://127.0.0.1:29626"}
    run_all(ring, [(rank, size, options) for rank in range(size)])
    run_all(positional, [(size, rank) for rank in range(size)])
