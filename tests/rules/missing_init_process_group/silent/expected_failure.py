# silent: a rank query inside a try, whose handler answers for a single process
import torch
import torch.distributed as dist


def rank_or_zero():
    try:
        return dist.get_rank()
    except (RuntimeError, ValueError):
        return 0


def main():
    torch.manual_seed(rank_or_zero())
    print(torch.rand(3).sum().item())


if __name__ == "__main__":
    main()
