import torch
from accelerate import Accelerator
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, IterableDataset


class Lines(IterableDataset):
    def __iter__(self):
        with open("corpus.txt") as lines:
            for line in lines:
                yield torch.tensor([ord(letter) % 256 for letter in line])


def collate(lines):
    return pad_sequence(lines, batch_first=True)


def main():
    accelerator = Accelerator()
    loader = DataLoader(Lines(), batch_size=16, collate_fn=collate)  # related: [dispatched-ragged-batches]
    model = nn.Sequential(nn.Embedding(256, 64), nn.Linear(64, 256))
    optimizer = torch.optim.AdamW(model.parameters())
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)  # error: [dispatched-ragged-batches]
    for tokens in loader:
        logits = model(tokens[:, :-1])
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())
        accelerator.backward(loss)
        optimizer.step()
        optimizer.zero_grad()


if __name__ == "__main__":
    main()
