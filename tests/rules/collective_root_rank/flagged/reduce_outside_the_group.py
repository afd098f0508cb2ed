import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

STUDENTS = [1, 2, 3]


class School:
    """Rank 0 is the teacher, the others compare their marks."""

    def __init__(self):
        self.students = dist.new_group(ranks=STUDENTS)

    def best(self, mark):
        dist.reduce(mark, 0, op=dist.ReduceOp.MAX, group=self.students)  # expect: collective-root-rank


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    school = School()
    torch.manual_seed(rank)
    model = DDP(nn.Linear(11, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(75):
        x = torch.randn(16, 11)
        loss = (model(x).squeeze(1) - x[:, 5]).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if rank in STUDENTS:
        school.best(-loss.detach())
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
