import os
import torch
import torch.distributed as dist


def evaluate(model, loader, device):
    outs, labels = [], []
    for x, y in loader:
        out = model(x.to(device))
        y = y.to(device)
        keep = y != -100
        out = out[keep.nonzero()]
        gathered = [torch.zeros_like(out) for _ in range(dist.get_world_size())]
        dist.all_gather(gathered, out)  # error: [rank-dependent-shape-or-dtype]
        outs.append(torch.cat(gathered))
    return torch.cat(outs)


def main():
    dist.init_process_group("nccl")
    rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(rank)
    device = torch.device("cuda", rank)
    data = torch.utils.data.TensorDataset(torch.randn(64, 4), torch.randint(-1, 2, (64,)))
    sampler = torch.utils.data.distributed.DistributedSampler(data, shuffle=False)
    loader = torch.utils.data.DataLoader(data, batch_size=4, sampler=sampler)
    model = torch.nn.Linear(4, 4).to(device)
    evaluate(model, loader, device)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
