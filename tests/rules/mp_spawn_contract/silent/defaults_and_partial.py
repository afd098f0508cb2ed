# silent: look-alikes, default values, keyword-only options, partial, bound and static methods, callable objects
import functools

import torch
import torch.multiprocessing as mp


def with_default(index, size=4, scale=1.0):
    print(index, torch.full((size,), scale).sum().item())


def options_only(index, *, verbose=False):
    if verbose:
        print(index)


def five(url, size, index, label, *, repeat):
    print(url, size, index, label * repeat)


class Loom:
    def __init__(self, threads):
        self.threads = threads

    def weave(self, index, pattern):
        print(index, self.threads, pattern)

    @staticmethod
    def tie(index, knots):
        print(index, knots)

    @classmethod
    def cut(cls, index):
        print(cls.__name__, index)

    def __call__(self, index, colour):
        print(index, self.threads, colour)

    def start(self):
        mp.spawn(self.weave, args=("twill",), nprocs=2)


def main():
    mp.spawn(with_default, nprocs=2)
    mp.spawn(with_default, args=(8,), nprocs=2)
    mp.spawn(with_default, args=(8, 0.5), nprocs=2)
    mp.spawn(options_only, args=(), nprocs=2)
    mp.spawn(functools.partial(five, "tcp://127.0.0.1:29646", 2, repeat=3), args=("warp",), nprocs=2)
    loom = Loom(40)
    loom.start()
    mp.spawn(Loom.tie, args=(12,), nprocs=2)
    mp.spawn(Loom.cut, nprocs=2)
    mp.spawn(loom, args=("indigo",), nprocs=2)


if __name__ == "__main__":
    main()
