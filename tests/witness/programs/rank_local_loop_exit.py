# witness: hangs
import os
import time

import torch
import torch.distributed as dist


def main():
    dist.init_process_group("gloo")
    time.sleep(3 * int(os.environ["RANK"]))
    started = time.time()
    total = torch.zeros(())
    for epoch in range(1000):
        step = torch.ones(())
        dist.all_reduce(step)
        total += step
        time.sleep(0.05)
        if time.time() - started > 5.0:
            break
    print("result: done")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
