# silent: what is set is a text
import argparse
import os

import torch
import torch.distributed as dist


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=29500)
    parser.add_argument("--address", default=None)
    args = parser.parse_args()
    os.environ["MASTER_PORT"] = str(args.port)
    if args.address is not None:
        os.environ["MASTER_ADDR"] = args.address
    os.environ["LOCAL_RANK"] = os.environ["SLURM_LOCALID"]
    os.environ["RANK"] = f"{int(os.environ['SLURM_PROCID'])}"
    os.environ.setdefault("WORLD_SIZE", os.environ["SLURM_NTASKS"])
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
