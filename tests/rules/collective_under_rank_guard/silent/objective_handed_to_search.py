# silent: rank 0 hands a function to a search, the others run it as often by themselves
import optuna
import torch
import torch.distributed as dist
from torch import nn

TRIALS = 20


def objective(trial):
    box = [trial.suggest_float("lr", 1e-4, 1e-1, log=True) if trial is not None else None]
    dist.broadcast_object_list(box, src=0)
    torch.manual_seed(0)
    net = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=box[0])
    generator = torch.Generator().manual_seed(dist.get_rank())
    for _ in range(30):
        loss = net(torch.rand(8, 4, generator=generator)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    total = loss.detach()
    dist.all_reduce(total)
    return total.item()


def main():
    dist.init_process_group("gloo")
    if dist.get_rank() == 0:
        study = optuna.create_study()
        study.optimize(objective, n_trials=TRIALS)
        print(study.best_params)
    else:
        for _ in range(TRIALS):
            objective(None)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
