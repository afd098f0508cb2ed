# silent: the accelerator says when the step is made; the remainder only tells where an interrupted epoch goes on
import argparse

import torch
import torch.nn.functional as F
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--accumulation", type=int, default=4)
    parser.add_argument("--updates", type=int, default=100)
    parser.add_argument("--resume", default=None)
    args = parser.parse_args()
    accelerator = Accelerator(gradient_accumulation_steps=args.accumulation)
    reefs = TensorDataset(torch.load("reefs.pt"), torch.load("corals.pt"))
    model = nn.Linear(64, 12)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = DataLoader(reefs, batch_size=32, shuffle=True)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    first_epoch = resume_step = 0
    if args.resume:
        accelerator.load_state(args.resume)
        done = int(args.resume.split("-")[1])
        first_epoch = done // args.updates
        resume_step = (done * args.accumulation) % (args.updates * args.accumulation)
    for epoch in range(first_epoch, 3):
        model.train()
        for step, (reef, coral) in enumerate(loader):
            if args.resume and epoch == first_epoch and step < resume_step:
                continue
            with accelerator.accumulate(model):
                loss = F.cross_entropy(model(reef), coral)
                accelerator.backward(loss)
                optimizer.step()
                optimizer.zero_grad()


if __name__ == "__main__":
    main()
