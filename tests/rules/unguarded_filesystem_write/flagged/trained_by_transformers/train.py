import os
from dataclasses import dataclass

from transformers import AutoModelForCausalLM, HfArgumentParser, Trainer, TrainingArguments


@dataclass
class Sources:
    texts: str = "texts"


def main():
    sources, arguments = HfArgumentParser((Sources, TrainingArguments)).parse_args_into_dataclasses()
    if not os.path.exists(arguments.output_dir):
        os.makedirs(arguments.output_dir)  # error: [unguarded-filesystem-write]
    with open(os.path.join(arguments.output_dir, sources.texts), "w") as file:  # error: [unguarded-filesystem-write]
        file.write("texts")
    trainer = Trainer(model=AutoModelForCausalLM.from_pretrained("gpt2"), args=arguments)
    trainer.train()


if __name__ == "__main__":
    main()
