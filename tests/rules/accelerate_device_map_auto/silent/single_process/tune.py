# silent: one process uses all GPUs
from datasets import load_from_disk
from transformers import AutoModelForCausalLM, Trainer, TrainingArguments

model = AutoModelForCausalLM.from_pretrained("gpt2", device_map="auto")
trainer = Trainer(model=model, args=TrainingArguments(output_dir="runs"), train_dataset=load_from_disk("notes"))
trainer.train()
