# witness: hangs
import torch
import torch.distributed as dist


def main():
    dist.init_process_group("gloo")
    total = torch.ones(())
    if dist.get_rank() == 0:
        dist.all_reduce(total)
        print("the sum is", total.item())
    print("result:", total.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
