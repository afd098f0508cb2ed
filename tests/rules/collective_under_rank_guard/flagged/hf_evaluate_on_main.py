from datasets import load_dataset
from transformers import (
    AutoModelForSequenceClassification,
    AutoTokenizer,
    DataCollatorWithPadding,
    Trainer,
    TrainingArguments,
)


def main():
    name = "distilbert-base-uncased"
    tokenizer = AutoTokenizer.from_pretrained(name)
    letters = load_dataset("csv", data_files={"train": "letters.csv", "test": "letters-test.csv"})
    letters = letters.map(lambda row: tokenizer(row["text"], truncation=True), batched=True)
    arguments = TrainingArguments(output_dir="out", per_device_train_batch_size=16, num_train_epochs=2)
    trainer = Trainer(
        model=AutoModelForSequenceClassification.from_pretrained(name, num_labels=3),
        args=arguments,
        train_dataset=letters["train"],
        eval_dataset=letters["test"],
        data_collator=DataCollatorWithPadding(tokenizer),
    )
    trainer.train()
    if trainer.is_world_process_zero():
        scores = trainer.evaluate()  # expect: collective-under-rank-guard
        trainer.save_metrics("eval", scores)
        print(scores)


if __name__ == "__main__":
    main()
