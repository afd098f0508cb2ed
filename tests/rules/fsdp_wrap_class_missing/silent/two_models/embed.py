import torch
from accelerate import Accelerator
from datasets import load_from_disk
from torch.utils.data import DataLoader
from transformers import AutoModelForCausalLM, default_data_collator

accelerator = Accelerator()
model = AutoModelForCausalLM.from_pretrained("meta-llama/Llama-2-7b-hf")
draft = AutoModelForCausalLM.from_pretrained("openai-community/gpt2")
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-5)
loader = DataLoader(load_from_disk("pairs"), batch_size=16, shuffle=True, collate_fn=default_data_collator)
model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
for epoch in range(2):
    for batch in loader:
        loss = model(**batch).loss
        accelerator.backward(loss)
        optimizer.step()
        optimizer.zero_grad()
accelerator.save_state("final")
