# silent: the user says how the model is placed
import argparse

from datasets import load_from_disk
from transformers import AutoModelForCausalLM, Trainer, TrainingArguments

parser = argparse.ArgumentParser()
parser.add_argument("--device-map", default=None)
args = parser.parse_args()
model = AutoModelForCausalLM.from_pretrained("gpt2", device_map=args.device_map)
arguments = TrainingArguments(output_dir="runs", deepspeed="zero2.json")
Trainer(model=model, args=arguments, train_dataset=load_from_disk("notes")).train()
