from datasets import load_dataset
from transformers import (
    AutoModelForCausalLM,
    AutoTokenizer,
    DataCollatorForLanguageModeling,
    Trainer,
    TrainingArguments,
)


def main():
    tokenizer = AutoTokenizer.from_pretrained("gpt2")
    tokenizer.pad_token = tokenizer.eos_token
    logs = load_dataset("text", data_files={"train": "logbooks.txt"})
    logs = logs.map(lambda row: tokenizer(row["text"], truncation=True, max_length=128), remove_columns=["text"])
    arguments = TrainingArguments(
        output_dir="logbooks",
        num_train_epochs=1,
        fsdp="full_shard auto_wrap",
        fsdp_config={"transformer_layer_cls_to_wrap": ["GPT2Block"]},
    )
    trainer = Trainer(
        model=AutoModelForCausalLM.from_pretrained("gpt2"),
        args=arguments,
        train_dataset=logs["train"],
        data_collator=DataCollatorForLanguageModeling(tokenizer, mlm=False),
    )
    trainer.train()
    if trainer.is_world_process_zero():
        trainer.save_model("logbooks/final")  # expect: sharded-state-under-rank-guard
        tokenizer.save_pretrained("logbooks/final")


if __name__ == "__main__":
    main()
