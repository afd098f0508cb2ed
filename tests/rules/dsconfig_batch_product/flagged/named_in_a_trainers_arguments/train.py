from transformers import AutoModelForCausalLM, Trainer, TrainingArguments

model = AutoModelForCausalLM.from_pretrained("gpt2")
args = TrainingArguments(output_dir="out", deepspeed="settings.json")
Trainer(model=model, args=args, train_dataset=[]).train()
