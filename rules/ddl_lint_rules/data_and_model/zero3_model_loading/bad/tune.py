import torch
from datasets import load_from_disk
from transformers import AutoModelForCausalLM, Trainer, TrainingArguments

STAGES = {"zero_optimization": {"stage": 3}, "bf16": {"enabled": True}, "train_micro_batch_size_per_gpu": "auto"}


def main():
    model = AutoModelForCausalLM.from_pretrained("Qwen/Qwen2.5-14B", torch_dtype=torch.bfloat16)  # error: [zero3-model-loading]
    arguments = TrainingArguments("runs", deepspeed=STAGES, bf16=True)  # related: [zero3-model-loading]
    trainer = Trainer(model=model, args=arguments, train_dataset=load_from_disk("letters"))
    trainer.train()


if __name__ == "__main__":
    main()
