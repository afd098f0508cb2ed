import argparse
import os

import deepspeed
import deepspeed.comm as dist
import torch
from deepspeed.accelerator import get_accelerator


def build_prompts(path, local_rank):
    if local_rank > 0:
        dist.barrier()
    prompts = torch.load(path, map_location="cpu") if os.path.exists(path) else torch.zeros(8, 16)
    if local_rank <= 0:
        dist.barrier()
    return prompts


def create_prompt_dataset(local_rank, reload, path):
    found = torch.ByteTensor([os.path.isfile(path) and not reload]).to(get_accelerator().current_device_name())
    dist.all_reduce(found, op=dist.ReduceOp.MIN)
    if found.sum() == 0 and local_rank <= 0:
        torch.save(torch.zeros(8, 16), f"{path}.node{os.environ.get('GROUP_RANK', 0)}")
    dist.barrier()
    return build_prompts(path, local_rank)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--local_rank", type=int, default=-1)
    parser.add_argument("--reload", action="store_true")
    args = parser.parse_args()
    get_accelerator().set_device(args.local_rank)
    deepspeed.init_distributed()
    print(create_prompt_dataset(args.local_rank, args.reload, "prompts.pt").shape)


if __name__ == "__main__":
    main()
