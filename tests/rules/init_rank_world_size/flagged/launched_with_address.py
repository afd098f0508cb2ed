"""A launcher starts it, and the address is written out; the call goes over several lines."""

import torch
import torch.distributed as dist


def main():
    dist.init_process_group(  # error: [init-rank-world-size]
        backend="gloo",
        init_method="tcp://10.3.0.1:29638",  # the first node
    )
    tide = torch.rand(4)
    dist.all_reduce(tide)
    print(tide.tolist())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
