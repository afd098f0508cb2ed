import torch
from accelerate import Accelerator, notebook_launcher
from torch.utils.data import DataLoader
from transformers import AutoModelForCausalLM


def train(name, data):
    accelerator = Accelerator(mixed_precision="bf16")
    model = AutoModelForCausalLM.from_pretrained(name, device_map="balanced")  # expect: accelerate-device-map-auto
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)
    loader = DataLoader(data, batch_size=2, shuffle=True)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for batch in loader:
        accelerator.backward(model(**batch).loss)
        optimizer.step()
        optimizer.zero_grad()


notebook_launcher(train, ("gpt2", torch.load("notes.pt")), num_processes=4)
