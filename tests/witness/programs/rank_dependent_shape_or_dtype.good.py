import torch
import torch.distributed as dist


def main():
    dist.init_process_group("gloo")
    if dist.get_rank() == 0:
        order = torch.tensor([2, 0, 1])
    else:
        order = torch.zeros(3, dtype=torch.int64)
    dist.broadcast(order, src=0)
    print("result:", [int(number) for number in order])
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
