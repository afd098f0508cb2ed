import builtins
import datetime
import os

import torch
import torch.distributed as dist


def setup_for_distributed(is_master):
    """Only the master prints, unless `force=True`."""
    builtin_print = builtins.print

    def print(*args, **kwargs):
        force = kwargs.pop("force", False)
        force = force or dist.get_world_size() > 8
        if is_master or force:
            now = datetime.datetime.now().time()
            builtin_print(f"[{now}] ", end="")
            builtin_print(*args, **kwargs)

    builtins.print = print


def init_distributed_mode(args):
    if "RANK" in os.environ and "WORLD_SIZE" in os.environ:
        args["rank"] = int(os.environ["RANK"])
        args["gpu"] = int(os.environ["LOCAL_RANK"])
    elif "SLURM_PROCID" in os.environ:
        args["rank"] = int(os.environ["SLURM_PROCID"])
        args["gpu"] = args["rank"] % torch.cuda.device_count()
    else:
        print("one process only")
        args["distributed"] = False
        return
    args["distributed"] = True
    torch.cuda.set_device(args["gpu"])
    print(f"| rank {args['rank']} starts", flush=True)
    dist.init_process_group("nccl")
    dist.barrier()
    setup_for_distributed(args["rank"] == 0)


def main():
    args = {}
    init_distributed_mode(args)
    if args["distributed"]:
        count = torch.ones(1, device="cuda")
        dist.all_reduce(count)
        print("processes:", count.item())
        print("this line comes from all", force=True)
        dist.barrier()


if __name__ == "__main__":
    main()
