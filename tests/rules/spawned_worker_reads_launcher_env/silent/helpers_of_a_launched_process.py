# silent: a launcher has started the process that starts helpers
import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def prefetch(queue):
    queue.put(int(os.environ["RANK"]))


if __name__ == "__main__":
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl")
    queue = mp.Queue()
    for _ in range(2):
        mp.Process(target=prefetch, args=(queue,)).start()
    print(queue.get())
    dist.destroy_process_group()
