# silent: the address is not known here (argument, function result), so neither is what its query holds
import argparse
import os

import torch
import torch.distributed as dist


def address():
    return os.environ.get("RENDEZVOUS", "tcp://127.0.0.1:29621?rank=0&world_size=1")


def count_samples(amount):
    total = torch.tensor([float(amount)])
    dist.all_reduce(total)
    return int(total.item())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--url", required=True, help="address with rank and world_size in its query")
    parser.add_argument("--from-env", action="store_true")
    args = parser.parse_args()
    if args.from_env:
        dist.init_process_group("gloo", init_method=address())
    else:
        dist.init_process_group("gloo", init_method=args.url)
    print(count_samples(100))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
