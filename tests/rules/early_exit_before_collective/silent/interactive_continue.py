# silent: rank 0 asks again after a bad answer, before the first collective of the round
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


def ask():
    try:
        return [float(word) for word in input("ten numbers: ").split()]
    except ValueError:
        return []


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    torch.manual_seed(0)
    model = FSDP(nn.Sequential(nn.Linear(10, 512), nn.ReLU(), nn.Linear(512, 1)).cuda())
    model.eval()
    while True:
        box = [None]
        if rank == 0:
            numbers = ask()
            if len(numbers) != 10:
                print("ten numbers, please; an empty line of ten zeros ends")
                continue
            box = [numbers]
        dist.broadcast_object_list(box, src=0)
        numbers = box[0]
        if not any(numbers):
            break
        with torch.no_grad():
            answer = model(torch.tensor([numbers]).cuda())
        if rank == 0:
            print(f"{answer.item():.3f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
