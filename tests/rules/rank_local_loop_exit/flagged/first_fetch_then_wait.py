import json
from pathlib import Path

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def prepare(target):
    if not target.is_file():  # expect: rank-local-loop-exit
        if dist.get_rank() == 0:
            target.write_text(json.dumps({"a": 1, "b": 2}))
        dist.barrier()
    return json.loads(target.read_text())


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(dist.get_rank())
    table = prepare(Path("cache/alphabet.json"))
    model = DDP(nn.Embedding(len(table), 16))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        words = torch.randint(0, len(table), (32,))
        loss = model(words).norm(dim=1).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
