import torch
import torch.distributed as dist


def main():
    dist.init_process_group("gloo")
    value = torch.ones(2)
    dist.all_reduce(value)
    print("result:", value.tolist())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
