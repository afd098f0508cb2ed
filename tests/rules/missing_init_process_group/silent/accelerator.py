# silent: Accelerator() starts the group in its constructor
import torch
import torch.distributed as dist
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def build_loader(batch_size):
    scans = torch.rand(3000, 20)
    return DataLoader(TensorDataset(scans, scans.gt(0.5).float().mean(dim=1)), batch_size=batch_size, shuffle=True)


def main():
    accelerator = Accelerator(gradient_accumulation_steps=2)
    torch.manual_seed(8)
    model = nn.Sequential(nn.Linear(20, 40), nn.SiLU(), nn.Linear(40, 1))
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    model, optimizer, loader = accelerator.prepare(model, optimizer, build_loader(50))

    for epoch in range(3):
        for scans, target in loader:
            with accelerator.accumulate(model):
                loss = (model(scans).squeeze(-1) - target).abs().mean()
                accelerator.backward(loss)
                optimizer.step()
                optimizer.zero_grad()
        seen = [None] * dist.get_world_size()
        dist.all_gather_object(seen, round(loss.item(), 4))
        if accelerator.is_main_process:
            print(epoch, seen)


if __name__ == "__main__":
    main()
