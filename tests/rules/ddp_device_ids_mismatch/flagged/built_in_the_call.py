import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Kalman(nn.Module):
    def __init__(self, state=6):
        super().__init__()
        self.update = nn.Linear(2 * state, state)

    def forward(self, state, measured):
        return self.update(torch.cat([state, measured], dim=-1))


def track(rank, world_size):
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", init_method="tcp://127.0.0.1:29333", rank=rank, world_size=world_size)
    model = DDP(Kalman(), device_ids=[rank], output_device=rank)  # expect: ddp-device-ids-mismatch
    opt = torch.optim.Adam(model.parameters())
    gen = torch.Generator().manual_seed(rank)
    for _ in range(400):
        state = torch.randn(20, 6, generator=gen).to(rank)
        measured = state + 0.1 * torch.randn(20, 6, generator=gen).to(rank)
        opt.zero_grad()
        nn.functional.mse_loss(model(state, measured), state).backward()
        opt.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(track, args=(torch.cuda.device_count(),), nprocs=torch.cuda.device_count())
