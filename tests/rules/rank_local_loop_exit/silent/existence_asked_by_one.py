# silent: only rank 0 looks for the file, and all wait behind the condition
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def vocabulary(path):
    if dist.get_rank() == 0 and not os.path.exists(path):
        with open(path, "w") as file:
            file.write("a b c d")
    dist.barrier()
    with open(path) as file:
        return file.read().split()


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(dist.get_rank())
    words = vocabulary("words.txt")
    model = DDP(nn.Embedding(len(words), 4))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    checkpoint = "embedding.pt"
    if os.path.exists(checkpoint):
        model.module.load_state_dict(torch.load(checkpoint, map_location="cpu"))
        dist.barrier()
    for _ in range(50):
        loss = model(torch.randint(0, len(words), (16,))).norm()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if dist.get_rank() == 0:
        torch.save(model.module.state_dict(), checkpoint)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
