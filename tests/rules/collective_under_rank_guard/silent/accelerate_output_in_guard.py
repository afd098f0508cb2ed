# silent: under the guard stand only saving of plain state, trackers and printing
import os

import torch
from accelerate import Accelerator
from accelerate.logging import get_logger
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

logger = get_logger(__name__)


def main(out="runs/bricks"):
    accelerator = Accelerator(log_with="tensorboard", project_dir=out)
    if accelerator.is_main_process:
        os.makedirs(out, exist_ok=True)
        accelerator.init_trackers("bricks")
    bricks = torch.rand(900, 5, generator=torch.Generator().manual_seed(1))
    loader = DataLoader(TensorDataset(bricks), batch_size=30, shuffle=True)
    net = nn.Linear(5, 5)
    optimizer = torch.optim.Adam(net.parameters())
    net, optimizer, loader = accelerator.prepare(net, optimizer, loader)
    for step, (brick,) in enumerate(loader):
        loss = (net(brick) - brick).abs().mean()
        accelerator.backward(loss)
        optimizer.step()
        optimizer.zero_grad()
        mean = accelerator.gather(loss.detach()).mean().item()
        if accelerator.is_main_process:
            accelerator.log({"loss": mean}, step=step)
            accelerator.print(step, mean)
            logger.info("step %d", step)
    accelerator.wait_for_everyone()
    if accelerator.is_main_process:
        plain = accelerator.unwrap_model(net)
        accelerator.save(plain.state_dict(), os.path.join(out, "bricks.pt"))
    accelerator.end_training()


if __name__ == "__main__":
    main()
