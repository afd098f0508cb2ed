"""The port goes into the address, the number of processes was left out."""

from torch.distributed import all_gather_object, destroy_process_group, init_process_group
from torch.multiprocessing import spawn


def greet(rank, names, port):
    init_process_group(backend="gloo", init_method=f"tcp://localhost:{port}", rank=rank)  # expect: init-rank-world-size
    heard = [None] * len(names)
    all_gather_object(heard, names[rank])
    print(f"{names[rank]} heard {heard}")
    destroy_process_group()


def main():
    names = ["ash", "birch", "cedar"]
    spawn(greet, args=(names, 29631), nprocs=len(names), join=True)


if __name__ == "__main__":
    main()
