from dataclasses import dataclass, field

import torch
from transformers import HfArgumentParser, Trainer, TrainingArguments


@dataclass
class DataArguments:
    samples: int = field(default=256)


class Squares(torch.utils.data.Dataset):
    def __init__(self, count):
        self.count = count

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        return {"value": torch.tensor([float(index)]), "labels": torch.tensor([float(index) ** 2])}


class Regressor(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(1, 1)

    def forward(self, value, labels=None):
        output = self.layer(value)
        return {"loss": torch.nn.functional.mse_loss(output, labels), "logits": output}


def main():
    data, training = HfArgumentParser((DataArguments, TrainingArguments)).parse_args_into_dataclasses()
    with training.main_process_first(desc="building the data"):
        train_set = Squares(data.samples)
    trainer = Trainer(model=Regressor(), args=training, train_dataset=train_set, eval_dataset=Squares(16))
    trainer.train()
    metrics = trainer.evaluate()
    if trainer.is_world_process_zero():
        print(metrics)


if __name__ == "__main__":
    main()
