# silent: each process has the whole model on its own device
import torch
from accelerate import Accelerator, notebook_launcher
from torch.utils.data import DataLoader
from transformers import AutoModelForCausalLM


def train(data):
    accelerator = Accelerator()
    model = AutoModelForCausalLM.from_pretrained("gpt2", device_map={"": accelerator.process_index})
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)
    model, optimizer, loader = accelerator.prepare(model, optimizer, DataLoader(data, batch_size=2, shuffle=True))
    for batch in loader:
        accelerator.backward(model(**batch).loss)
        optimizer.step()
        optimizer.zero_grad()


notebook_launcher(train, (torch.load("notes.pt"),), num_processes=2)
