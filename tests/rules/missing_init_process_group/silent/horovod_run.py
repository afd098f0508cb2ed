# silent: `horovod.run` or a Spark job starts the processes
import horovod
import horovod.torch as hvd
import torch


def train(rate):
    model = torch.nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=rate * hvd.size())
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    generator = torch.Generator().manual_seed(hvd.rank())
    for _ in range(100):
        optimizer.zero_grad()
        model(torch.rand(8, 4, generator=generator)).square().mean().backward()
        optimizer.step()
    return hvd.rank()


if __name__ == "__main__":
    print(horovod.run(train, args=(0.1,), num_proc=4))
