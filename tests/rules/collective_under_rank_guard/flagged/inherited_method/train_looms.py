import torch
import torch.distributed as dist
from base import Recorder
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class LoomRecorder(Recorder):
    def report(self, epoch):
        print(f"epoch {epoch}: " + ", ".join(f"{name} {self.mean(name):.4f}" for name in sorted(self.sums)))


class Session:
    def __init__(self):
        self.rank = dist.get_rank()
        self.model = DDP(nn.Linear(9, 2))
        self.optimizer = torch.optim.Adam(self.model.parameters())
        self.recorder = LoomRecorder()

    def epoch(self, number, generator):
        for _ in range(30):
            threads = torch.rand(16, 9, generator=generator)
            loss = nn.functional.mse_loss(self.model(threads), threads[:, 3:5])
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.recorder.add("loss", loss.item())
        if self.rank == 0:
            self.recorder.synchronize()  # error: [collective-under-rank-guard]
            self.recorder.report(number)


def main():
    dist.init_process_group("gloo")
    session = Session()
    generator = torch.Generator().manual_seed(session.rank)
    for number in range(6):
        session.epoch(number, generator)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
