import os

import numpy as np
from datasets import load_dataset
from transformers import AutoModelForSequenceClassification, AutoTokenizer, HfArgumentParser, Trainer, TrainingArguments


def main():
    (training_args,) = HfArgumentParser(TrainingArguments).parse_args_into_dataclasses()
    tokenizer = AutoTokenizer.from_pretrained("roberta-base")
    diaries = load_dataset("json", data_files={"train": "diaries.jsonl", "rest": "rest.jsonl"})
    diaries = diaries.map(lambda row: tokenizer(row["entry"], padding="max_length", max_length=128, truncation=True))
    model = AutoModelForSequenceClassification.from_pretrained("roberta-base", num_labels=2)
    trainer = Trainer(model=model, args=training_args, train_dataset=diaries["train"])
    trainer.train()
    if training_args.local_rank in (-1, 0):
        output = trainer.predict(diaries["rest"])  # expect: collective-under-rank-guard
        np.save(os.path.join(training_args.output_dir, "moods.npy"), output.predictions.argmax(1))


if __name__ == "__main__":
    main()
