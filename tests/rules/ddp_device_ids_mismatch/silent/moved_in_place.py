# silent: .cuda() and .to() move a module in place, their result may be ignored; chains and conversions move it too
import os

import torch
import torch.distributed as dist
import torchvision
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.eye = torchvision.models.resnet18(num_classes=16)
        self.word = nn.Embedding(99, 16)

    def forward(self, image, word):
        return (self.eye(image) * self.word(word)).sum(dim=1)


def main():
    gpu = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(gpu)
    dist.init_process_group("nccl")
    pair = Pair()
    pair = nn.SyncBatchNorm.convert_sync_batchnorm(pair)
    pair.cuda(gpu)
    pair.train()
    pair = DDP(pair, device_ids=[gpu])
    head = nn.Linear(1, 1)
    head.to(device=torch.device("cuda", gpu))
    head = DDP(module=head, device_ids=[gpu], output_device=gpu)
    gen = torch.Generator().manual_seed(dist.get_rank())
    opt = torch.optim.SGD([*pair.parameters(), *head.parameters()], lr=0.01)
    for _ in range(50):
        image = torch.rand(8, 3, 64, 64, generator=gen).cuda(gpu)
        word = torch.randint(0, 99, (8,), generator=gen).cuda(gpu)
        opt.zero_grad()
        head(pair(image, word).unsqueeze(1)).square().mean().backward()
        opt.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
