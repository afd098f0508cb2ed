import torch
import torch.distributed as dist


def gather_valid(scores, mask):
    valid = scores[mask]
    parts = [torch.zeros_like(valid) for _ in range(dist.get_world_size())]
    dist.all_gather(parts, valid)  # expect: rank-dependent-shape-or-dtype
    return torch.cat(parts)


def evaluate(model, loader):
    for inputs, labels in loader:
        scores = model(inputs)
        gather_valid(scores, labels != -100)
        hits = (scores.argmax(dim=1) == labels).nonzero()
        parts = [torch.empty_like(hits) for _ in range(dist.get_world_size())]
        dist.all_gather(parts, hits)  # expect: rank-dependent-shape-or-dtype


def main():
    dist.init_process_group("gloo")
    data = torch.utils.data.TensorDataset(torch.rand(64, 4), torch.randint(0, 2, (64,)))
    sampler = torch.utils.data.DistributedSampler(data, shuffle=False)
    evaluate(torch.nn.Linear(4, 2), torch.utils.data.DataLoader(data, batch_size=8, sampler=sampler))
    values = torch.rand(8)
    large = values[values > 0.5]
    dist.all_reduce(large)  # expect: rank-dependent-shape-or-dtype
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
