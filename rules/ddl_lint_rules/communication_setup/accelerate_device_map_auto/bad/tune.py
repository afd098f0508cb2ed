"""Adapts a language model to clinical notes."""

import argparse
import json

import torch
from accelerate import Accelerator
from torch.utils.data import DataLoader, Dataset
from transformers import AutoModelForCausalLM, AutoTokenizer


class Notes(Dataset):
    def __init__(self, path):
        with open(path, encoding="utf-8") as lines:
            self.texts = [json.loads(line)["text"] for line in lines]

    def __len__(self):
        return len(self.texts)

    def __getitem__(self, index):
        return self.texts[index]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--epochs", type=int, default=3)
    args = parser.parse_args()

    accelerator = Accelerator()
    tokenizer = AutoTokenizer.from_pretrained(args.model)
    model = AutoModelForCausalLM.from_pretrained(
        args.model,
        torch_dtype=torch.bfloat16,
        device_map="auto",  # error: [accelerate-device-map-auto]
    )

    def collate(texts):
        batch = tokenizer(texts, padding=True, truncation=True, max_length=512, return_tensors="pt")
        batch["labels"] = batch["input_ids"].clone()
        return batch

    loader = DataLoader(Notes(args.data), batch_size=4, shuffle=True, collate_fn=collate)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)

    for epoch in range(args.epochs):
        model.train()
        for batch in loader:
            loss = model(**batch).loss
            accelerator.backward(loss)
            optimizer.step()
            optimizer.zero_grad()
        accelerator.print(f"epoch {epoch}: {loss.item():.3f}")

    accelerator.wait_for_everyone()
    accelerator.save_model(model, args.out)


if __name__ == "__main__":
    main()
