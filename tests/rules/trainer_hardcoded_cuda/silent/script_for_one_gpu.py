import torch
from transformers import AutoModelForCausalLM, BitsAndBytesConfig, Trainer, TrainingArguments

quantized = BitsAndBytesConfig(load_in_4bit=True)
model = AutoModelForCausalLM.from_pretrained("gpt2", quantization_config=quantized, device_map={"": 0})
Trainer(model, TrainingArguments("out"), train_dataset=torch.load("songs.pt")).train()
