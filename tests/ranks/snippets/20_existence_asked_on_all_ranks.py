import os

import torch.distributed as dist


def fetch(path):
    with open(path, "w") as handle:
        handle.write("word,frequency\n")


def main():
    dist.init_process_group("gloo")
    path = "vocabulary.csv"
    if not os.path.exists(path):  # expect: rank-local-loop-exit
        if dist.get_rank() == 0:
            fetch(path)
        dist.barrier()
    with open(path) as handle:
        print(len(handle.readlines()))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
