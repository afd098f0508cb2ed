# silent: elastic training synchronizes its state
import horovod.torch as hvd
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


@hvd.elastic.run
def train(state, loader, sampler):
    for state.epoch in range(state.epoch, 10):
        sampler.set_epoch(state.epoch)
        for x, y in loader:
            state.optimizer.zero_grad()
            F.cross_entropy(state.model(x.cuda()), y.cuda()).backward()
            state.optimizer.step()
        state.commit()


def main():
    hvd.init()
    torch.cuda.set_device(hvd.local_rank())
    data = TensorDataset(torch.load("x.pt", map_location="cpu"), torch.load("y.pt", map_location="cpu"))
    sampler = hvd.elastic.ElasticSampler(data)
    loader = DataLoader(data, batch_size=32, sampler=sampler)
    model = torch.nn.Linear(20, 5).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01 * hvd.size())
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    state = hvd.elastic.TorchState(model, optimizer, epoch=0, sampler=sampler)
    train(state, loader, sampler)


if __name__ == "__main__":
    main()
