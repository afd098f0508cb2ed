import os

import torch
import torch.distributed as dist


class FirstRankPerNode:
    """`with FirstRankPerNode():` lets local rank 0 enter at once and the other processes of the node afterwards."""

    def __enter__(self):
        if not dist.is_available() or not dist.is_initialized():
            self._first = True
            return True
        self._first = int(os.environ["LOCAL_RANK"]) == 0
        if not self._first:
            dist.barrier()
        return self._first

    def __exit__(self, exc_type, exc_value, traceback):
        if self._first and dist.is_initialized():
            try:
                dist.barrier()
            except Exception:
                print("the barrier after the block failed")
        if exc_type is not None and self._first and dist.is_initialized():
            dist.destroy_process_group()
        return False


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    with FirstRankPerNode() as first:
        if first:
            print("fetching the tokenizer")
        vocabulary = {"<pad>": 0, "<unk>": 1}
    sizes = torch.full((1,), len(vocabulary), device=local_rank)
    dist.all_reduce(sizes)
    print(sizes.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
