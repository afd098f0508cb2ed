# witness: crashes with "RPC worker name worker is not unique"
import os

import torch
import torch.distributed.rpc as rpc


def main():
    rank, world_size = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    rpc.init_rpc("worker", rank=rank, world_size=world_size)
    print("result:", torch.ones(2).tolist())
    rpc.shutdown()


if __name__ == "__main__":
    main()
