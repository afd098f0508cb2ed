import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Recorder:
    def __init__(self, path, verbose):
        self.path = path
        self.verbose = verbose
        self.is_main = dist.get_rank() == 0

    def write(self, step, loss, final=False):
        if step == 0:
            return
        if step < 5:
            print(f"rank {dist.get_rank()} warms up: {loss:.4f}")
        elif self.is_main and self.verbose or final:  # expect: rank-guard-operator-precedence
            with open(self.path, "w") as file:
                file.write(f"{step} {loss:.6f}\n")


def main():
    dist.init_process_group("gloo")
    recorder = Recorder("last_loss.txt", verbose=True)
    torch.manual_seed(dist.get_rank())
    model = DDP(nn.Linear(8, 8))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
    for step in range(100):
        x = torch.randn(8, 8)
        loss = (model(x) + x.flip(0)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        recorder.write(step, loss.item(), final=step == 99)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
