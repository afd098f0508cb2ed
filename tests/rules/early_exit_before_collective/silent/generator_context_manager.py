# silent: the two halves of a generator context manager make one barrier on each rank
import os
from contextlib import contextmanager

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


@contextmanager
def first_process_first(local_rank):
    if local_rank == 0:
        yield
        dist.barrier()
        return
    dist.barrier()
    yield


def load_lexicon(path, local_rank):
    with first_process_first(local_rank):
        if local_rank == 0:
            torch.save(torch.randn(500, 16, generator=torch.Generator().manual_seed(9)), path)
        return torch.load(path, map_location="cpu")


def main():
    dist.init_process_group("gloo")
    local_rank = int(os.environ["LOCAL_RANK"])
    lexicon = load_lexicon("/tmp/lexicon.pt", local_rank)
    model = DDP(nn.Linear(16, 16))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    torch.manual_seed(dist.get_rank())
    for _ in range(300):
        rows = lexicon[torch.randint(len(lexicon), (20,))]
        loss = (model(rows) - rows).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
