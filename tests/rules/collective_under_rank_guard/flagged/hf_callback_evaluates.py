from datasets import load_dataset
from transformers import (
    AutoModelForCausalLM,
    AutoTokenizer,
    DataCollatorForLanguageModeling,
    Trainer,
    TrainerCallback,
    TrainingArguments,
)


class ProbeCallback(TrainerCallback):
    """Looks at the held-out ballads now and then."""

    def __init__(self, trainer, ballads):
        self.trainer = trainer
        self.ballads = ballads

    def on_epoch_end(self, args, state, control, **kwargs):
        if state.is_world_process_zero:
            scores = self.trainer.evaluate(eval_dataset=self.ballads, metric_key_prefix="ballads")  # expect: collective-under-rank-guard
            print(scores["ballads_loss"])


def main():
    tokenizer = AutoTokenizer.from_pretrained("gpt2")
    tokenizer.pad_token = tokenizer.eos_token
    songs = load_dataset("text", data_files={"train": "songs.txt", "test": "ballads.txt"})
    songs = songs.map(lambda row: tokenizer(row["text"], truncation=True, max_length=64), remove_columns=["text"])
    trainer = Trainer(
        model=AutoModelForCausalLM.from_pretrained("gpt2"),
        args=TrainingArguments(output_dir="songs", num_train_epochs=3),
        train_dataset=songs["train"],
        data_collator=DataCollatorForLanguageModeling(tokenizer, mlm=False),
    )
    trainer.add_callback(ProbeCallback(trainer, songs["test"]))
    trainer.train()


if __name__ == "__main__":
    main()
