import horovod.torch as hvd
import torch
from torch import nn


def metric_average(value, name):
    return hvd.allreduce(torch.tensor(value), name=name).item()


def test(model, images):
    model.eval()
    with torch.no_grad():
        loss = model(images).square().mean().item()
    loss = metric_average(loss, "avg_loss")
    if hvd.rank() == 0:
        print("test loss", loss)


def main():
    hvd.init()
    torch.cuda.set_device(hvd.local_rank())
    torch.manual_seed(42)
    model = nn.Linear(30, 2).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01 * hvd.size())
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    hvd.broadcast_optimizer_state(optimizer, root_rank=0)
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    generator = torch.Generator().manual_seed(hvd.rank())
    for step in range(50):
        optimizer.zero_grad()
        loss = model(torch.rand(8, 30, generator=generator).cuda()).square().mean()
        loss.backward()
        optimizer.step()
        if step % 10 == 0 and hvd.rank() == 0:
            print(step, loss.item())
    test(model, torch.rand(16, 30, generator=generator).cuda())


if __name__ == "__main__":
    main()
