# silent: in plain data parallel training save_model writes what rank 0 has
from datasets import load_dataset
from transformers import AutoModelForSequenceClassification, AutoTokenizer, Trainer, TrainingArguments


def main():
    tokenizer = AutoTokenizer.from_pretrained("bert-base-cased")
    notes = load_dataset("json", data_files={"train": "notes.jsonl"})
    notes = notes.map(lambda row: tokenizer(row["text"], padding="max_length", max_length=64, truncation=True))
    trainer = Trainer(
        model=AutoModelForSequenceClassification.from_pretrained("bert-base-cased", num_labels=4),
        args=TrainingArguments(output_dir="notes", num_train_epochs=2),
        train_dataset=notes["train"],
    )
    trainer.train()
    if trainer.is_world_process_zero():
        trainer.save_model("notes/final")
        tokenizer.save_pretrained("notes/final")


if __name__ == "__main__":
    main()
