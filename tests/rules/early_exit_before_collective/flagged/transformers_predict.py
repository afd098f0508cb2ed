"""Tunes a tagger of recipes, and tells how good it is."""

import json

from datasets import load_from_disk
from transformers import AutoTokenizer, DataCollatorForTokenClassification, Trainer, TrainingArguments
from transformers import RobertaForTokenClassification

recipes = load_from_disk("recipes")
tokenizer = AutoTokenizer.from_pretrained("roberta-base")
trainer = Trainer(
    model=RobertaForTokenClassification.from_pretrained("roberta-base", num_labels=7),
    args=TrainingArguments("tagger", per_device_train_batch_size=32, num_train_epochs=3),
    train_dataset=recipes["train"],
    data_collator=DataCollatorForTokenClassification(tokenizer),
)


def tell():
    if not trainer.is_world_process_zero():
        return  # expect: early-exit-before-collective
    found = trainer.predict(recipes["test"])
    with open("tagger/test.json", "w") as file:
        json.dump(found.metrics, file)


trainer.train()
tell()
