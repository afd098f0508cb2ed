# silent: what is loaded is a data file that the project itself wrote from CPU tensors
import torch


def prepare(path="patches.pt", count=1000):
    gen = torch.Generator().manual_seed(5)
    patches = torch.rand(count, 3, 8, 8, generator=gen)
    torch.save({"patches": patches, "label": (patches.mean(dim=(1, 2, 3)) > 0.5).long()}, path)


if __name__ == "__main__":
    prepare()
