import os

import torch
import torch.distributed as dist


def main():
    rank = int(os.environ["RANK"])
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl")
    weights = [1.0, 2.0, 3.0]
    indices = (torch.tensor(weights) if rank == 0 else torch.zeros(3)).int()  # expect: cpu-tensor-in-nccl-collective
    dist.broadcast(indices, 0)
    print(indices.tolist())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
