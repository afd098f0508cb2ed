import os

import torch
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.utils.data import DataLoader

from text_stream import TokenBlocks


class Trainer:
    def __init__(self, model, args):
        self.device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
        self.model = FSDP(model.to(self.device), device_id=self.device)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=args.lr)
        self.loader = self.make_loader(args)

    def make_loader(self, args):
        data = TokenBlocks(args.files, encode=lambda text: list(text.encode()))
        options = dict(batch_size=args.batch_size, pin_memory=True)
        return DataLoader(data, collate_fn=torch.tensor, **options)  # error: [iterable-dataset-not-sharded]

    def step(self, tokens):
        logits = self.model(tokens[:, :-1])
        loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()

    def fit(self, epochs):
        for epoch in range(epochs):
            for tokens in self.loader:
                self.step(tokens.to(self.device))
