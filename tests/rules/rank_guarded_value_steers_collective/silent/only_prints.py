# silent: the value that rank 0 sets decides what is shown, and on rank 0 a progress bar; no collective depends on it
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset
from tqdm import tqdm


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    verbose, bar = False, None
    if rank == 0:
        verbose = True
    torch.manual_seed(1)
    x = torch.randn(4096, 5)
    dataset = TensorDataset(x, x.norm(dim=1))
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=64, sampler=sampler)
    model = DDP(nn.Linear(5, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for epoch in range(10):
        sampler.set_epoch(epoch)
        batches = loader
        if verbose:
            batches = bar = tqdm(loader, desc=f"epoch {epoch}")
        for features, target in batches:
            loss = (model(features).squeeze(1) - target).abs().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            if bar is not None:
                bar.set_postfix(loss=loss.item())
        if verbose:
            print(f"epoch {epoch} done")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
