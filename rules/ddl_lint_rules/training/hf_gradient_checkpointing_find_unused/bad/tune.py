"""Tunes a language model on recipes."""

import argparse

from datasets import load_from_disk
from transformers import AutoModelForCausalLM, AutoTokenizer, DataCollatorForLanguageModeling, Trainer, TrainingArguments


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="gpt2")
    parser.add_argument("--recipes", required=True)
    parser.add_argument("--out", default="runs/recipes")
    parser.add_argument("--half", action="store_true")
    options = parser.parse_args()

    tokenizer = AutoTokenizer.from_pretrained(options.model)
    tokenizer.pad_token = tokenizer.eos_token
    recipes = load_from_disk(options.recipes)
    recipes = recipes.map(lambda row: tokenizer(row["text"], truncation=True, max_length=512))
    model = AutoModelForCausalLM.from_pretrained(options.model)
    arguments = TrainingArguments(  # error: [hf-gradient-checkpointing-find-unused]
        output_dir=options.out,
        num_train_epochs=3,
        per_device_train_batch_size=8,
        gradient_checkpointing=True,
        gradient_checkpointing_kwargs={"use_reentrant": True},
        ddp_find_unused_parameters=True,
    )
    trainer = Trainer(
        model=model,
        args=arguments,
        train_dataset=recipes["train"],
        eval_dataset=recipes["test"],
        data_collator=DataCollatorForLanguageModeling(tokenizer, mlm=False),
    )
    trainer.train()
    trainer.save_model(options.out)


if __name__ == "__main__":
    main()
