import sys

from datasets import load_from_disk
from load import load
from transformers import Trainer, TrainingArguments


def main(folder):
    arguments = TrainingArguments(output_dir="runs", deepspeed="zero2.json", num_train_epochs=1)
    data = load_from_disk(folder)
    trainer = Trainer(load("bert-base-cased", 4), arguments, train_dataset=data["train"])
    trainer.train()


if __name__ == "__main__":
    main(sys.argv[1])
