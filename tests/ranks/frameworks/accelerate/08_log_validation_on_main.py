import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Sketcher:
    """A sampling pipeline around a module without its wrapper."""

    def __init__(self, unet, device):
        self.unet = unet
        self.device = device

    @torch.no_grad()
    def __call__(self, seed):
        noise = torch.randn(1, 16, generator=torch.Generator().manual_seed(seed)).to(self.device)
        return self.unet(noise)


def log_validation(unet, accelerator, step):
    pipeline = Sketcher(accelerator.unwrap_model(unet), accelerator.device)
    sketches = [pipeline(seed) for seed in range(4)]
    print(step, torch.cat(sketches).std().item())


def main():
    accelerator = Accelerator(mixed_precision="bf16")
    torch.manual_seed(0)
    unet = nn.Linear(16, 16)
    optimizer = torch.optim.AdamW(unet.parameters())
    loader = DataLoader(TensorDataset(torch.rand(256, 16)), batch_size=8, shuffle=True)
    unet, optimizer, loader = accelerator.prepare(unet, optimizer, loader)
    for step, (latents,) in enumerate(loader):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(unet(latents), latents)
        mean = accelerator.gather(loss.repeat(8)).mean().item()
        accelerator.backward(loss)
        optimizer.step()
        if accelerator.is_main_process:
            print(step, mean)
            if step % 100 == 0:
                log_validation(unet, accelerator, step)


if __name__ == "__main__":
    main()
