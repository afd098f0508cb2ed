import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch import save as write_tensors
from torch.nn.parallel import DistributedDataParallel as DDP


def worker(rank, world_size, settings):
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", init_method="tcp://127.0.0.1:29900", rank=rank, world_size=world_size)
    net = nn.Sequential(nn.Linear(22, 44), nn.ELU(), nn.Linear(44, 1)).to(rank)
    model = DDP(net, device_ids=[rank])
    opt = torch.optim.Adam(model.parameters(), lr=settings["lr"])
    gen = torch.Generator().manual_seed(rank)
    for step in range(settings["steps"]):
        x = torch.rand(48, 22, generator=gen).to(rank)
        loss = (model(x).squeeze(1) - x.prod(dim=1)).abs().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 500 == 0:
            torch.save({"step": step, "net": net.state_dict()}, "product.pt")  # expect: unguarded-filesystem-write
    write_tensors(net.state_dict(), settings["final"])  # expect: unguarded-filesystem-write
    dist.destroy_process_group()


if __name__ == "__main__":
    gpus = torch.cuda.device_count()
    mp.spawn(worker, args=(gpus, {"lr": 1e-3, "steps": 4000, "final": "product_final.pt"}), nprocs=gpus)
