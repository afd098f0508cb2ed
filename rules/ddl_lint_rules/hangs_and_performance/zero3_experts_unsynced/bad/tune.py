import torch
from datasets import load_from_disk
from transformers import AutoModelForCausalLM, Trainer, TrainingArguments

ZERO3 = {
    "train_micro_batch_size_per_gpu": "auto",
    "gradient_accumulation_steps": "auto",
    "bf16": {"enabled": "auto"},
    "zero_optimization": {"stage": 3},
}


def main():
    args = TrainingArguments("tuned", deepspeed=ZERO3, bf16=True, num_train_epochs=1)  # related: [zero3-experts-unsynced]
    model = AutoModelForCausalLM.from_pretrained("mistralai/Mixtral-8x7B-v0.1", torch_dtype=torch.bfloat16)  # error: [zero3-experts-unsynced]
    Trainer(model=model, args=args, train_dataset=load_from_disk("letters")).train()


if __name__ == "__main__":
    main()
