import argparse
import os
import sys

sys.path.append("lake")

import torch
from pike_net import PikeNet
from torch.nn.parallel import DistributedDataParallel


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--task", default="depth")
    args = parser.parse_args()
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    model = PikeNet().cuda(local_rank)
    if args.task == "depth":
        model = DistributedDataParallel(model, device_ids=[local_rank])  # error: [missing-init-process-group]
    model(torch.zeros(2, 4).cuda()).sum().backward()


if __name__ == "__main__":
    main()
