# silent: a mask is applied and the result reduced to a number
import torch
import torch.distributed as dist


def main():
    dist.init_process_group("gloo")
    scores, labels = torch.rand(8), torch.randint(0, 2, (8,))
    chosen = scores[labels == 1]
    total = chosen.sum()
    count = (scores > 0.5).sum()
    dist.all_reduce(total)
    dist.all_reduce(count)
    first = scores[0]
    dist.all_reduce(first)
    rows = torch.rand(4, 4)[torch.tensor([0, 2])]
    dist.all_reduce(rows)
    print(total, count, first, rows)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
