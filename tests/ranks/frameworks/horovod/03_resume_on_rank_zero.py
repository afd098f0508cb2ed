import os

import horovod.torch as hvd
import torch
from torch import nn


def newest(folder, epochs):
    for epoch in range(epochs, 0, -1):
        if os.path.exists(os.path.join(folder, f"epoch-{epoch}.pt")):
            return epoch
    return 0


def main():
    hvd.init()
    torch.cuda.set_device(hvd.local_rank())
    torch.manual_seed(7)
    model = nn.Linear(12, 1).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    resume_from = newest("runs", 20) if hvd.rank() == 0 else 0
    resume_from = hvd.broadcast(torch.tensor(resume_from), root_rank=0, name="resume_from").item()
    if resume_from > 0 and hvd.rank() == 0:
        saved = torch.load(f"runs/epoch-{resume_from}.pt", map_location="cpu")
        model.load_state_dict(saved["model"])
        optimizer.load_state_dict(saved["optimizer"])
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    hvd.broadcast_optimizer_state(optimizer, root_rank=0)
    generator = torch.Generator().manual_seed(hvd.rank())
    for epoch in range(resume_from + 1, 21):
        for _ in range(30):
            optimizer.zero_grad()
            model(torch.rand(4, 12, generator=generator).cuda()).square().mean().backward()
            optimizer.step()
        if hvd.rank() == 0:
            state = {"model": model.state_dict(), "optimizer": optimizer.state_dict()}
            torch.save(state, f"runs/epoch-{epoch}.pt")


if __name__ == "__main__":
    main()
