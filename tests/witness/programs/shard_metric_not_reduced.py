# witness: wrong
import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def main():
    dist.init_process_group("gloo")
    numbers = torch.arange(16)
    dataset = TensorDataset(numbers, numbers % 2)
    loader = DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset, shuffle=False))
    correct = 0
    for number, odd in loader:
        guess = number % 2  # always right
        correct += (guess == odd).sum().item()
    print("result:", correct / len(loader.dataset))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
