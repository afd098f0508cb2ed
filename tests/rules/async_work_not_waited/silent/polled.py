# silent: the program asks whether the work is done
import time

import torch
import torch.distributed as dist


def main():
    dist.init_process_group("gloo")
    tensor = torch.rand(4)
    work = dist.all_reduce(tensor, async_op=True)
    while not work.is_completed():
        time.sleep(0.01)
    print(tensor.sum())
    other = torch.rand(4)
    future = dist.all_reduce(other, async_op=True).get_future()
    print(future.wait())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
