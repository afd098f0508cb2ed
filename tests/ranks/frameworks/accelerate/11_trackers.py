import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from tqdm.auto import tqdm


def main():
    accelerator = Accelerator(log_with="tensorboard", project_dir="logs")
    torch.manual_seed(0)
    model = nn.Linear(5, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = DataLoader(TensorDataset(torch.rand(512, 5)), batch_size=8, shuffle=True)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    if accelerator.is_main_process:
        accelerator.init_trackers("dunes")
    progress = tqdm(range(len(loader)), disable=not accelerator.is_local_main_process)
    for step, (batch,) in enumerate(loader):
        optimizer.zero_grad()
        loss = model(batch).square().mean()
        accelerator.backward(loss)
        optimizer.step()
        progress.update(1)
        accelerator.log({"loss": loss.detach().item()}, step=step)
    accelerator.wait_for_everyone()
    accelerator.end_training()


if __name__ == "__main__":
    main()
