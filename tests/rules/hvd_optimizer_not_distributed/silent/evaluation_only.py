# silent: the script only evaluates
import horovod.torch as hvd
import torch
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def main():
    hvd.init()
    torch.cuda.set_device(hvd.local_rank())
    model = torch.nn.Linear(10, 2).cuda()
    model.load_state_dict(torch.load("best.pt", map_location="cpu"))
    data = TensorDataset(torch.load("x.pt", map_location="cpu"), torch.load("y.pt", map_location="cpu"))
    sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank(), shuffle=False)
    right = torch.tensor(0.0)
    with torch.no_grad():
        for x, y in DataLoader(data, batch_size=100, sampler=sampler):
            right += (model(x.cuda()).argmax(1).cpu() == y).sum()
    right = hvd.allreduce(right, op=hvd.Sum, name="right")
    if hvd.rank() == 0:
        print(right / len(data))


if __name__ == "__main__":
    main()
