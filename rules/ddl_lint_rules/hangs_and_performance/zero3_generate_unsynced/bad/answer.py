import deepspeed
import torch
from torch.utils.data import DataLoader, DistributedSampler
from transformers import AutoModelForCausalLM, AutoTokenizer

BASE = "Qwen/Qwen2.5-0.5B-Instruct"
QUESTIONS = [f"How heavy is planet {number}?" for number in range(1000)]
CONFIG = {
    "train_micro_batch_size_per_gpu": 4,
    "bf16": {"enabled": True},
    "optimizer": {"type": "AdamW", "params": {"lr": 1e-6}},
    "zero_optimization": {"stage": 3},
}


def main():
    deepspeed.init_distributed()
    tokenizer = AutoTokenizer.from_pretrained(BASE, padding_side="left")
    model = AutoModelForCausalLM.from_pretrained(BASE, torch_dtype=torch.bfloat16)
    engine, _, _, _ = deepspeed.initialize(model=model, model_parameters=model.parameters(), config=CONFIG)  # related: [zero3-generate-unsynced]
    sampler = DistributedSampler(QUESTIONS)
    for epoch in range(3):
        sampler.set_epoch(epoch)
        for questions in DataLoader(QUESTIONS, batch_size=4, sampler=sampler):
            inputs = tokenizer(list(questions), return_tensors="pt", padding=True).to(engine.device)
            with torch.no_grad():
                answers = engine.module.generate(**inputs, max_new_tokens=128)  # error: [zero3-generate-unsynced]
            engine.backward(engine(input_ids=answers, labels=answers).loss)
            engine.step()


if __name__ == "__main__":
    main()
