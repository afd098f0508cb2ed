import torch
from datasets import load_from_disk
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM, BitsAndBytesConfig, Trainer, TrainingArguments


def main():
    packed = BitsAndBytesConfig(load_in_4bit=True, bnb_4bit_compute_dtype=torch.bfloat16)  # error: [fsdp-quantized-storage]
    model = AutoModelForCausalLM.from_pretrained(  # related: [fsdp-quantized-storage]
        "Qwen/Qwen2.5-7B", quantization_config=packed, torch_dtype=torch.bfloat16
    )
    model = get_peft_model(model, LoraConfig(r=8, target_modules="all-linear"))
    arguments = TrainingArguments(  # related: [fsdp-quantized-storage]
        "runs", bf16=True, fsdp="full_shard auto_wrap"
    )
    Trainer(model=model, args=arguments, train_dataset=load_from_disk("letters")).train()


if __name__ == "__main__":
    main()
