import torch
from accelerate import Accelerator
from torch.utils.data import DataLoader, IterableDataset


class Texts(IterableDataset):
    def __iter__(self):
        for length in range(1, 17):
            yield torch.ones(length, dtype=torch.long)


def collate(texts):
    padded = torch.zeros(len(texts), 16, dtype=torch.long)
    for row, text in zip(padded, texts):
        row[: len(text)] = text
    return padded


def main():
    accelerator = Accelerator(cpu=True)
    loader = accelerator.prepare(DataLoader(Texts(), batch_size=4, collate_fn=collate))
    count = torch.zeros(())
    for batch in loader:
        count += (batch > 0).any(dim=1).sum()
    print("result:", accelerator.reduce(count).item())
    accelerator.end_training()


if __name__ == "__main__":
    main()
