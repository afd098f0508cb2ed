import torch
import torch.distributed as dist


def mean_reciprocal_rank(scores, wanted):
    order = scores.argsort(dim=1, descending=True)
    gain = torch.zeros(2)
    for row in range(len(order)):
        rank = order[row].tolist().index(int(wanted[row]))
        if rank == 0:
            gain[0] += 1
        if rank >= 10:
            continue
        gain[1] += 1 / (rank + 1)
    dist.all_reduce(gain)
    return gain


def main():
    dist.init_process_group("gloo")
    generator = torch.Generator().manual_seed(dist.get_rank())
    scores = torch.rand(30, 50, generator=generator)
    wanted = torch.randint(0, 50, (30,), generator=generator)
    gain = mean_reciprocal_rank(scores, wanted)
    if dist.get_rank() == 0:
        print(gain.tolist())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
