import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    dist.init_process_group("gloo")
    generator = torch.Generator().manual_seed(6)
    kelp = torch.rand(2900, 29, generator=generator)
    data = TensorDataset(kelp, kelp.amax(1, keepdim=True))
    loader = DataLoader(data, batch_size=29, sampler=DistributedSampler(data, shuffle=True))
    torch.manual_seed(0)
    net = DDP(nn.Linear(29, 1))
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(11):
        for step, (blade, longest) in enumerate(loader):
            loader.sampler.set_epoch(epoch)  # expect: missing-set-epoch
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(net(blade), longest)
            loss.backward()
            optimizer.step()
            if step % 20 == 0 and dist.get_rank() == 0:
                print(epoch, step, loss.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
