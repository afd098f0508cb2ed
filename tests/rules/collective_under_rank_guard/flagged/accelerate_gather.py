import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    accelerator = Accelerator()
    generator = torch.Generator().manual_seed(8)
    ferns = torch.rand(3000, 18, generator=generator)
    loader = DataLoader(TensorDataset(ferns, ferns[:, :5].argmax(1)), batch_size=50, shuffle=True)
    net = nn.Sequential(nn.Linear(18, 40), nn.ReLU(), nn.Linear(40, 5))
    optimizer = torch.optim.AdamW(net.parameters())
    net, optimizer, loader = accelerator.prepare(net, optimizer, loader)
    for epoch in range(5):
        for leaf, family in loader:
            loss = nn.functional.cross_entropy(net(leaf), family)
            accelerator.backward(loss)
            optimizer.step()
            optimizer.zero_grad()
        if accelerator.is_main_process:
            losses = accelerator.gather(loss.detach())  # expect: collective-under-rank-guard
            print(f"epoch {epoch}: {losses.mean().item():.4f}")


if __name__ == "__main__":
    main()
