# silent: all processes evaluate; writing of metrics and the push stand under the guard
from datasets import load_dataset
from transformers import (
    AutoModelForSequenceClassification,
    AutoTokenizer,
    DataCollatorWithPadding,
    Trainer,
    TrainingArguments,
)


def main():
    tokenizer = AutoTokenizer.from_pretrained("bert-base-cased")
    arguments = TrainingArguments(output_dir="out", num_train_epochs=1)
    reviews = load_dataset("json", data_files={"train": "train.jsonl", "test": "test.jsonl"})
    with arguments.main_process_first(desc="tokenizing"):
        reviews = reviews.map(lambda row: tokenizer(row["text"], truncation=True), batched=True)
    trainer = Trainer(
        model=AutoModelForSequenceClassification.from_pretrained("bert-base-cased", num_labels=2),
        args=arguments,
        train_dataset=reviews["train"],
        eval_dataset=reviews["test"],
        data_collator=DataCollatorWithPadding(tokenizer),
    )
    trainer.train()
    scores = trainer.evaluate()
    if trainer.is_world_process_zero():
        trainer.log_metrics("eval", scores)
        trainer.save_metrics("eval", scores)
        trainer.push_to_hub()


if __name__ == "__main__":
    main()
