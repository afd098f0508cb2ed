# witness: wrong, on accelerate
import torch
from accelerate import Accelerator
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def main():
    accelerator = Accelerator(cpu=True)
    dataset = TensorDataset(torch.arange(16))
    sampler = DistributedSampler(dataset, accelerator.num_processes, accelerator.process_index, shuffle=False)
    loader = accelerator.prepare(DataLoader(dataset, batch_size=2, sampler=sampler))
    seen = [accelerator.gather_for_metrics(numbers) for (numbers,) in loader]
    print("result:", sorted(torch.cat(seen).tolist()))
    accelerator.end_training()


if __name__ == "__main__":
    main()
