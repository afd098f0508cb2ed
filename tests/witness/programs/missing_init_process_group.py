# witness: crashes with "Default process group has not been initialized"
import torch
import torch.distributed as dist


def main():
    value = torch.ones(2)
    dist.all_reduce(value)
    print("result:", value.tolist())


if __name__ == "__main__":
    main()
