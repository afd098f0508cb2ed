from datasets import load_from_disk
from transformers import MixtralForCausalLM, Trainer, TrainingArguments

model = MixtralForCausalLM.from_pretrained("mixtral", device_map="auto")  # error: [accelerate-device-map-auto]
trainer = Trainer(model=model, args=TrainingArguments(output_dir="runs"), train_dataset=load_from_disk("letters"))
trainer.train()
