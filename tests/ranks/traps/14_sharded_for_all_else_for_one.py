import os

import torch
import torch.distributed as dist


class State:
    def __init__(self, sharded):
        self.sharded = sharded
        self.table = torch.zeros(16)

    def write(self, path):
        if self.sharded:
            parts = [torch.empty_like(self.table) for _ in range(dist.get_world_size())]
            dist.all_gather(parts, self.table)
            table = torch.cat(parts)
        else:
            table = self.table
        if dist.get_rank() == 0:
            torch.save(table, path)


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    state = State(sharded=os.environ.get("SHARDED", "0") == "1")
    for round_ in range(5):
        state.table += rank
        if state.sharded or rank == 0:
            state.write(f"table{round_}.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
