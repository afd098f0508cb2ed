# witness: hangs
import torch
import torch.distributed as dist


def main():
    dist.init_process_group("gloo")
    total = torch.ones(())
    if dist.get_rank() == 0:
        pair = dist.new_group([0, 1])
        print("a group of", pair.size())
    dist.all_reduce(total)
    print("result:", total.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
