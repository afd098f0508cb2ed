import os

import optuna
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def train(settings, local_rank):
    torch.manual_seed(0)
    model = DDP(nn.Linear(8, 1).cuda(local_rank), device_ids=[local_rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=settings["lr"])
    generator = torch.Generator().manual_seed(dist.get_rank())
    for _ in range(30):
        batch = torch.rand(settings["batch"], 8, generator=generator).cuda(local_rank)
        optimizer.zero_grad()
        loss = model(batch).square().mean()
        loss.backward()
        optimizer.step()
    return loss.item()


def search(trials, local_rank):
    if dist.get_rank() == 0:

        def _objective(trial):
            settings = {
                "lr": trial.suggest_float("lr", 1e-4, 1e-1, log=True),
                "batch": trial.suggest_categorical("batch", [8, 16]),
            }
            box = [settings]
            dist.broadcast_object_list(box, src=0)
            return train(settings, local_rank)

        study = optuna.create_study(direction="minimize")
        study.optimize(_objective, n_trials=trials)
        print(study.best_trial.params)
    else:
        for _ in range(trials):
            box = [None]
            dist.broadcast_object_list(box, src=0)
            train(box[0], local_rank)


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    search(12, local_rank)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
