# silent: the group is destroyed when Python ends
import atexit

import torch
import torch.distributed as dist


def main():
    dist.init_process_group("gloo")
    atexit.register(dist.destroy_process_group)
    value = torch.ones(1)
    dist.all_reduce(value)
    print(value)


if __name__ == "__main__":
    main()
