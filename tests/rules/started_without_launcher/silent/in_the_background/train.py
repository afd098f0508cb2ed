import argparse

from datasets import load_dataset
from transformers import AutoModelForCausalLM, AutoTokenizer
from trl import SFTConfig, SFTTrainer


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--weighted", action="store_true")
    parser.add_argument("--lr", type=float, default=1e-4)
    args = parser.parse_args()
    model_kwargs = {"attn_implementation": "sdpa"}
    try:
        model = AutoModelForCausalLM.from_pretrained("gpt2", **model_kwargs)
    except ImportError:
        model = AutoModelForCausalLM.from_pretrained("gpt2")
    settings = SFTConfig(output_dir="out", learning_rate=args.lr)
    trainer = SFTTrainer(
        model=model,
        args=settings,
        train_dataset=load_dataset("imdb", split="train"),
        processing_class=AutoTokenizer.from_pretrained("gpt2"),
    )
    trainer.train()
    trainer.save_model("out")


if __name__ == "__main__":
    main()
