import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


@torch.no_grad()
def evaluate(model, loader, val_set):
    model.eval()
    correct = torch.zeros(())
    for x, y in loader:
        correct += (model(x).argmax(1) == y).sum()
    size = len(loader.dataset)
    return (correct / size).item()  # expect: shard-metric-not-reduced


def main():
    dist.init_process_group("gloo")
    val_set = TensorDataset(torch.load("inputs.pt"), torch.load("labels.pt"))
    sampler = DistributedSampler(val_set, shuffle=False)
    loader = DataLoader(val_set, batch_size=64, sampler=sampler)
    model = DDP(nn.Linear(20, 5))
    model.module.load_state_dict(torch.load("model.pt", map_location="cpu"))
    accuracy = evaluate(model, loader, val_set)
    if dist.get_rank() == 0:
        print("accuracy", accuracy)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
