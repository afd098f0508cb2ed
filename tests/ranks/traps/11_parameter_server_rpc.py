import os

import torch
import torch.distributed.rpc as rpc
from torch import nn


class Server:
    def __init__(self):
        torch.manual_seed(0)
        self.layer = nn.Linear(10, 1)

    def forward(self, batch):
        return self.layer(batch).detach()


SERVER = None


def ask(batch):
    global SERVER
    if SERVER is None:
        SERVER = Server()
    return SERVER.forward(batch)


def run_worker(rank):
    generator = torch.Generator().manual_seed(rank)
    for _ in range(20):
        answer = rpc.rpc_sync("server", ask, args=(torch.rand(4, 10, generator=generator),))
        print(rank, answer.mean().item())


def main():
    rank, world_size = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    if rank == 0:
        rpc.init_rpc("server", rank=rank, world_size=world_size)
    else:
        rpc.init_rpc(f"worker{rank}", rank=rank, world_size=world_size)
        run_worker(rank)
    rpc.shutdown()


if __name__ == "__main__":
    main()
