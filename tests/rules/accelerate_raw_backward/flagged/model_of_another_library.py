"""Learns to draw maps of cells."""

import torch
import torch.nn.functional as F
from accelerate import Accelerator
from diffusers import DDPMScheduler, UNet2DModel
from torch.utils.data import DataLoader, TensorDataset


def main():
    accelerator = Accelerator(gradient_accumulation_steps=2)
    loader = DataLoader(TensorDataset(torch.load("cells.pt")), batch_size=16, shuffle=True)
    net = UNet2DModel(sample_size=64, in_channels=3, out_channels=3)
    optimizer = torch.optim.AdamW(net.parameters(), lr=2e-4)
    noise = DDPMScheduler(num_train_timesteps=1000)
    net, optimizer, loader = accelerator.prepare(net, optimizer, loader)
    for _ in range(50):
        for (cells,) in loader:
            with accelerator.accumulate(net):
                steps = torch.randint(0, 1000, (len(cells),), device=cells.device)
                added = torch.randn_like(cells)
                guess = net(noise.add_noise(cells, added, steps), steps).sample
                loss = F.mse_loss(guess, added)
                loss.backward()  # expect: accelerate-raw-backward
                optimizer.step()
                optimizer.zero_grad()


if __name__ == "__main__":
    main()
