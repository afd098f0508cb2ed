# silent: look-alike, a spawn method that has nothing to do with torch.multiprocessing
import torch
from torch import multiprocessing


class Pond:
    def __init__(self):
        self.fish = []

    def spawn(self, kind, args=(), kwargs=None):
        self.fish.append(kind(*args, **(kwargs or {})))


def trout(weight, colour="brown"):
    return {"weight": weight, "colour": colour}


pond = Pond()
pond.spawn(trout, args=(2.5,), kwargs={"colour": "silver"})
pond.spawn(lambda: "perch")

if __name__ == "__main__":
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    queue.put(torch.tensor([fish["weight"] for fish in pond.fish if isinstance(fish, dict)]))
    print(queue.get())
