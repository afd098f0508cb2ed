import colossalai
import torch
import torch.distributed as dist


def main():
    colossalai.launch_from_torch(verbose=False)
    count = torch.ones(1)
    dist.all_reduce(count)
    print("result:", count.item(), flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
