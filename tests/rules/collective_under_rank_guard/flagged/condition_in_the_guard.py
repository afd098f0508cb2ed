import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group('gloo')
    rank = dist.get_rank()
    generator = torch.Generator().manual_seed(rank)
    model = DDP(nn.Linear(6, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(20):
        for _ in range(50):
            larks = torch.rand(16, 6, generator=generator)
            loss = (model(larks) - larks.mean(1, keepdim=True)).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        # one line for each epoch, and now and then the mean of all
        if rank == 0:
            print('epoch', epoch)
            if epoch % 5 == 0:
                mean = loss.detach().clone()
                dist.all_reduce(  # expect: collective-under-rank-guard
                    mean,
                    op=dist.ReduceOp.AVG,
                )  # over the ranks

                print('mean', mean.item())
            print('-' * 20)
    dist.destroy_process_group()


if __name__ == '__main__':
    main()
