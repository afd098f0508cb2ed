# silent: the group is made by hand for its timeout, and Accelerator() sets the device
from datetime import timedelta

import torch
import torch.distributed as dist
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    dist.init_process_group("nccl", timeout=timedelta(hours=2))
    accelerator = Accelerator()
    torch.manual_seed(0)
    model = nn.Linear(33, 3)
    optimizer = torch.optim.AdamW(model.parameters())
    ropes = torch.rand(990, 33)
    loader = DataLoader(TensorDataset(ropes, ropes[:, :3].argmax(dim=1)), batch_size=33, shuffle=True)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    scale = torch.ones(3).cuda()
    for _ in range(4):
        for features, label in loader:
            loss = nn.functional.cross_entropy(model(features) * scale, label)
            accelerator.backward(loss)
            optimizer.step()
            optimizer.zero_grad()
        dist.barrier()
    accelerator.print(loss.item())
    accelerator.end_training()


if __name__ == "__main__":
    main()
