# silent: the trainer keeps the control of all ranks equal
import time

import torch
from torch import nn
from torch.utils.data import TensorDataset
from transformers import EarlyStoppingCallback, Trainer, TrainerCallback, TrainingArguments


class TimeLimit(TrainerCallback):
    def __init__(self, hours):
        self.end = time.time() + hours * 3600

    def on_step_end(self, args, state, control, **kwargs):
        if time.time() > self.end:
            control.should_training_stop = True
        return control


class Regressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(6, 1)

    def forward(self, x, labels=None):
        y = self.layer(x).squeeze(1)
        return {"loss": nn.functional.mse_loss(y, labels), "logits": y}


def collate(rows):
    x, labels = zip(*rows)
    return {"x": torch.stack(x), "labels": torch.stack(labels)}


def main():
    x = torch.randn(5000, 6)
    train, val = TensorDataset(x[:4000], x[:4000].sum(1)), TensorDataset(x[4000:], x[4000:].sum(1))
    arguments = TrainingArguments(
        output_dir="out", num_train_epochs=20, eval_strategy="epoch", save_strategy="epoch",
        load_best_model_at_end=True, metric_for_best_model="loss",
    )
    trainer = Trainer(
        model=Regressor(), args=arguments, train_dataset=train, eval_dataset=val, data_collator=collate,
        callbacks=[TimeLimit(2.0), EarlyStoppingCallback(early_stopping_patience=3)],
    )
    trainer.train()


if __name__ == "__main__":
    main()
