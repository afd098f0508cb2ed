# witness: wrong
import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset, random_split


def main():
    dist.init_process_group("gloo")
    numbers = TensorDataset(torch.arange(400))
    train_set, val_set = random_split(numbers, [300, 100])
    loader = DataLoader(train_set, batch_size=50, sampler=DistributedSampler(train_set, shuffle=False))
    used = torch.zeros(400)
    for (batch,) in loader:
        used[batch] += 1
    dist.all_reduce(used)
    print("result:", int((used == 1).sum()), "numbers were used once")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
