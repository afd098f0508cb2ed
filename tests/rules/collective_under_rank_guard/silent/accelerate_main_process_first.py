# silent: main_process_first puts the processes in order and leaves none out
import torch
from accelerate import Accelerator
from accelerate.utils import gather_object
from datasets import load_dataset
from torch import nn
from torch.utils.data import DataLoader


def main():
    accelerator = Accelerator()
    with accelerator.main_process_first():
        inks = load_dataset("csv", data_files="inks.csv", split="train")
        inks = inks.map(lambda row: {"sum": row["cyan"] + row["black"]}).with_format("torch")
    with accelerator.local_main_process_first():
        print("cache in place", len(inks))
    loader = DataLoader(inks, batch_size=16, shuffle=True)
    net = nn.Linear(2, 1)
    optimizer = torch.optim.Adam(net.parameters())
    net, optimizer, loader = accelerator.prepare(net, optimizer, loader)
    for batch in loader:
        loss = (net(torch.stack([batch["cyan"], batch["black"]], 1)).squeeze(1) - batch["sum"]).square().mean()
        accelerator.backward(loss)
        optimizer.step()
        optimizer.zero_grad()
    last = gather_object([loss.item()])
    if accelerator.is_main_process:
        print(last)


if __name__ == "__main__":
    main()
