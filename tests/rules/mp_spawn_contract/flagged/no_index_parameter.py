"""The target was written for one process; its parameters stand on lines of their own."""

import torch
import torch.multiprocessing as mp


def estimate(
    points,  # per process
    seed,
):
    generator = torch.Generator().manual_seed(seed)
    inside = torch.rand(points, 2, generator=generator).pow(2).sum(dim=1).le(1)
    print(4 * inside.float().mean().item())


def main():
    mp.spawn(  # expect: mp-spawn-contract
        estimate,
        args=(20_000, 5),  # the same seed everywhere
        nprocs=3,
    )


if __name__ == "__main__":
    main()
