# silent: a library reads the environment and gives numbers
import torch
import torch.distributed as dist
from environs import Env

env = Env()


def main():
    torch.cuda.set_device(env.int("LOCAL_RANK"))
    dist.init_process_group("nccl")
    if env.int("RANK") == 0:
        print(env.int("WORLD_SIZE") > 1)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
