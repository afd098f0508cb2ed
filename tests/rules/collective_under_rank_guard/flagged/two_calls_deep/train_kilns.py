import torch
import torch.distributed as dist
from report import write_report
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main(epochs=3):
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    model = DDP(nn.Linear(11, 11))
    optimizer = torch.optim.Adam(model.parameters())
    generator = torch.Generator().manual_seed(rank)
    for epoch in range(epochs):
        for _ in range(50):
            temperatures = torch.rand(64, 11, generator=generator)
            output = model(temperatures)
            loss = (output - temperatures).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if rank == 0:
            write_report(output.detach(), f"kilns-{epoch}.txt")  # error: [collective-under-rank-guard]
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
