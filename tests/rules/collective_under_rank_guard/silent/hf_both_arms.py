# silent: the other processes evaluate as well, in the other arm
from datasets import load_dataset
from transformers import AutoModelForSequenceClassification, AutoTokenizer, Trainer, TrainingArguments


def main():
    tokenizer = AutoTokenizer.from_pretrained("bert-base-cased")
    reviews = load_dataset("json", data_files={"train": "train.jsonl", "test": "test.jsonl"})
    reviews = reviews.map(lambda row: tokenizer(row["text"], padding="max_length", max_length=64, truncation=True))
    trainer = Trainer(
        model=AutoModelForSequenceClassification.from_pretrained("bert-base-cased", num_labels=2),
        args=TrainingArguments(output_dir="out"),
        train_dataset=reviews["train"],
        eval_dataset=reviews["test"],
    )
    trainer.train()
    if trainer.is_world_process_zero():
        print("evaluating", len(reviews["test"]), "reviews")
        print(trainer.evaluate())
    else:
        trainer.evaluate()


if __name__ == "__main__":
    main()
