import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn import parallel


class Melody(nn.Module):
    def __init__(self, notes=88):
        super().__init__()
        self.embed = nn.Embedding(notes, 32)
        self.out = nn.Linear(32, notes)

    def forward(self, note):
        return self.out(self.embed(note))


def play(rank, world, steps):
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", init_method="tcp://localhost:29600", rank=rank, world_size=world)
    melody = parallel.DistributedDataParallel(Melody().cuda(rank), device_ids=[rank])
    opt = torch.optim.SGD(melody.parameters(), lr=0.3)
    gen = torch.Generator().manual_seed(rank)
    for _ in range(steps):
        note = torch.randint(0, 87, (40,), generator=gen).cuda(rank)
        opt.zero_grad()
        nn.functional.cross_entropy(melody(note), note + 1).backward()
        opt.step()
    if rank == 0:
        state = {
            "steps": steps,
            "melody": melody.state_dict(),  # expect: ddp-wrapped-state-dict
            "opt": opt.state_dict(),
        }
        torch.save(state, "melody.pth")
    dist.destroy_process_group()


def listen(path="melody.pth"):
    melody = Melody()
    melody.load_state_dict(torch.load(path, map_location="cpu")["melody"])
    return melody.eval()


if __name__ == "__main__":
    world = torch.cuda.device_count()
    mp.spawn(play, args=(world, 1000), nprocs=world, join=True)
    print(listen()(torch.tensor([40])).argmax().item())
