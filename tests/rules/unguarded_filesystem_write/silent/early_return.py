# silent: the functions that write return at once on the other ranks, and the saver object exists on rank 0 only
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def is_dist_avail_and_initialized():
    return dist.is_available() and dist.is_initialized()


def get_rank():
    return dist.get_rank() if is_dist_avail_and_initialized() else 0


def save_on_master(*args, **kwargs):
    if get_rank() == 0:
        torch.save(*args, **kwargs)


class Saver:
    def __init__(self, folder):
        os.mkdir(folder)
        self.folder = folder

    def keep(self, net, step):
        torch.save(net.state_dict(), os.path.join(self.folder, f"{step}.pt"))


def note(text, path="notes.txt"):
    if get_rank() != 0:
        return
    with open(path, "a") as handle:
        handle.write(text + "\n")


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    saver = None
    if get_rank() == 0:
        saver = Saver("kept")
    model = DDP(nn.Linear(8, 3).to(local_rank), device_ids=[local_rank])
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    gen = torch.Generator().manual_seed(get_rank())
    for step in range(100):
        x = torch.randn(16, 8, generator=gen).to(local_rank)
        opt.zero_grad()
        nn.functional.cross_entropy(model(x), x[:, :3].argmax(1)).backward()
        opt.step()
        if saver is not None and step % 50 == 49:
            saver.keep(model.module, step)
    note("trained")
    save_on_master({"model": model.module.state_dict()}, "final.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
