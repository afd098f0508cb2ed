import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

EPOCHS = 30


def is_main_process():
    return dist.get_rank() == 0


def finish_epoch(epoch, model, history):
    last = epoch == EPOCHS - 1
    if last or epoch % 10 == 0 and is_main_process():  # expect: rank-guard-operator-precedence
        torch.save({"model": model.module.state_dict(), "history": history}, f"marsh{epoch}.pt")


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(dist.get_rank())
    model = DDP(nn.Linear(3, 3))
    optimizer = torch.optim.Adam(model.parameters())
    history = []
    for epoch in range(EPOCHS):
        for _ in range(20):
            x = torch.randn(8, 3)
            loss = (model(x) - x.tan().clamp(-2, 2)).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        history.append(loss.item())
        finish_epoch(epoch, model, history)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
