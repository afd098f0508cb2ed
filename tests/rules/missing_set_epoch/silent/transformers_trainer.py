# silent: the Trainer of transformers owns the epoch loop, and a callback of the project calls set_epoch
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
from torch.utils.data.distributed import DistributedSampler
from transformers import Trainer, TrainerCallback, TrainingArguments


class Pairs(Dataset):
    def __init__(self, n):
        generator = torch.Generator().manual_seed(6)
        self.x = torch.randn(n, 8, generator=generator)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return {"x": self.x[i], "labels": self.x[i].sum().unsqueeze(0)}


class Linear(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(8, 1)

    def forward(self, x, labels=None):
        y = self.out(x)
        return {"loss": nn.functional.mse_loss(y, labels), "logits": y}


class EpochToSampler(TrainerCallback):
    def on_epoch_begin(self, args, state, control, train_dataloader=None, **kwargs):
        train_dataloader.sampler.set_epoch(int(state.epoch or 0))


class ShardedTrainer(Trainer):
    def get_train_dataloader(self):
        size, index = self.args.world_size, self.args.process_index
        sampler = DistributedSampler(self.train_dataset, num_replicas=size, rank=index)
        return DataLoader(self.train_dataset, batch_size=self.args.train_batch_size, sampler=sampler)


def main():
    arguments = TrainingArguments(output_dir="out", num_train_epochs=5, per_device_train_batch_size=16)
    trainer = ShardedTrainer(model=Linear(), args=arguments, train_dataset=Pairs(4000), callbacks=[EpochToSampler()])
    trainer.train()


if __name__ == "__main__":
    main()
