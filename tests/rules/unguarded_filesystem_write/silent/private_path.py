# silent: the paths belong to one process: temporary folders, process id, host and local rank
import os
import shutil
import socket
import tempfile

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    scratch = tempfile.mkdtemp(prefix="kernels_")
    os.mkdir(os.path.join(scratch, "compiled"))
    model = DDP(nn.Linear(9, 1).to(local_rank), device_ids=[local_rank])
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    gen = torch.Generator().manual_seed(dist.get_rank())
    for _ in range(100):
        x = torch.rand(16, 9, generator=gen).to(local_rank)
        opt.zero_grad()
        nn.functional.mse_loss(model(x), x.mean(1, keepdim=True)).backward()
        opt.step()
    torch.save(opt.state_dict(), os.path.join(scratch, "opt.pt"))
    with open(f"memory_{os.getpid()}.txt", "w") as handle:
        handle.write(torch.cuda.memory_summary())
    host_file = f"{socket.gethostname()}-{local_rank}.pt"
    torch.save(gen.get_state(), host_file)
    with tempfile.TemporaryDirectory() as folder:
        torch.save(model.module.state_dict(), os.path.join(folder, "probe.pt"))
    shutil.rmtree(scratch)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
