# silent: timeouts are time spans
import datetime
import os
from datetime import timedelta

import torch
import torch.distributed as dist

WAIT = timedelta(minutes=30)


def main(minutes=30):
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl", timeout=datetime.timedelta(0, 60 * minutes))
    group = dist.new_group(timeout=WAIT)
    dist.barrier(group)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
