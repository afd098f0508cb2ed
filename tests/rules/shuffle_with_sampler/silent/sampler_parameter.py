# silent: whether the sampler is None is up to the caller, in a library module
from __future__ import annotations

import torch
from torch.utils.data import DataLoader, Dataset, Sampler


def pad_collate(items):
    longest = max(len(item) for item in items)
    batch = torch.zeros(len(items), longest, dtype=torch.long)
    for row, item in enumerate(items):
        batch[row, : len(item)] = torch.as_tensor(item)
    return batch


def training_loader(dataset: Dataset, batch_size: int, sampler: Sampler | None = None) -> DataLoader:
    """Shuffle the whole set; callers that shard pass the flags of their own loader."""
    return DataLoader(dataset, batch_size=batch_size, shuffle=True, sampler=sampler, collate_fn=pad_collate)


def evaluation_loader(dataset: Dataset, batch_size: int) -> DataLoader:
    """Keep the order of the data set."""
    return DataLoader(dataset, batch_size=batch_size, shuffle=False, collate_fn=pad_collate)
