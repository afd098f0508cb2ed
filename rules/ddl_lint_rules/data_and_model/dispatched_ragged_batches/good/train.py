import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, IterableDataset


class Lines(IterableDataset):
    def __iter__(self):
        with open("corpus.txt") as lines:
            for line in lines:
                yield torch.tensor([ord(letter) % 256 for letter in line])


def collate(lines):
    return torch.stack([nn.functional.pad(line[:256], (0, 256 - len(line[:256]))) for line in lines])


def main():
    accelerator = Accelerator()
    loader = DataLoader(Lines(), batch_size=16, collate_fn=collate)
    model = nn.Sequential(nn.Embedding(256, 64), nn.Linear(64, 256))
    optimizer = torch.optim.AdamW(model.parameters())
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for tokens in loader:
        logits = model(tokens[:, :-1])
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())
        accelerator.backward(loss)
        optimizer.step()
        optimizer.zero_grad()


if __name__ == "__main__":
    main()
