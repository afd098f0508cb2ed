import os

from alignment import H4ArgumentParser
from transformers import AutoModelForCausalLM
from datasets import load_dataset
from trl import DPOConfig, DPOTrainer, ModelConfig


def main():
    about, options = H4ArgumentParser((ModelConfig, DPOConfig)).parse()
    model = AutoModelForCausalLM.from_pretrained("gpt2")
    trainer = DPOTrainer(model, args=options, train_dataset=load_dataset("pairs", split="train"))
    trainer.train()
    last = os.path.join(options.output_dir, "last")
    trainer.model.save_pretrained(last)  # error: [unguarded-filesystem-write]


main()
