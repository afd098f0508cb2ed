import os

from torch import cuda, device, nn, optim, rand
from torch import distributed as c10d
from torch import load as read_checkpoint
from torch.nn.parallel import DistributedDataParallel


def main():
    gpu = int(os.environ["LOCAL_RANK"])
    cuda.set_device(gpu)
    c10d.init_process_group("nccl")
    place = device("cuda", gpu)
    net = nn.GRU(6, 24, batch_first=True).to(place)
    weights = read_checkpoint("gru_base.pt")  # expect: load-without-map-location
    net.load_state_dict(weights)
    ddp = DistributedDataParallel(net, device_ids=[gpu])
    opt = optim.RMSprop(ddp.parameters(), lr=1e-3)
    for _ in range(100):
        sequence = rand(4, 30, 6, device=place)
        hidden, _ = ddp(sequence)
        opt.zero_grad()
        hidden.square().mean().backward()
        opt.step()
    c10d.destroy_process_group()


if __name__ == "__main__":
    main()
