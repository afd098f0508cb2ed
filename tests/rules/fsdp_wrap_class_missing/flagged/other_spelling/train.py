from datasets import load_from_disk
from transformers import AutoModelForCausalLM, HfArgumentParser, Trainer, TrainingArguments


def main():
    parser = HfArgumentParser(TrainingArguments)
    (arguments,) = parser.parse_args_into_dataclasses()
    model = AutoModelForCausalLM.from_pretrained("meta-llama/Llama-2-7b-hf")
    Trainer(model=model, args=arguments, train_dataset=load_from_disk("tokens")).train()


if __name__ == "__main__":
    main()
