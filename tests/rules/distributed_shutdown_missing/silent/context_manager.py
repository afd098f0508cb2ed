# silent: a context manager of the project destroys the group
from contextlib import contextmanager

import torch
import torch.distributed as dist


@contextmanager
def process_group(backend):
    dist.init_process_group(backend)
    try:
        yield dist.group.WORLD
    finally:
        dist.destroy_process_group()


def main():
    with process_group("gloo"):
        value = torch.ones(1)
        dist.all_reduce(value)
        print(value)


if __name__ == "__main__":
    main()
