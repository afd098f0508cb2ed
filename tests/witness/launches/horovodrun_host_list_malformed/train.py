from __future__ import annotations

import horovod.torch as hvd
import torch


def main():
    hvd.init()
    total = hvd.allreduce(torch.ones(1), op=hvd.Sum, name="count")
    print("result:", total.item(), flush=True)


if __name__ == "__main__":
    main()
