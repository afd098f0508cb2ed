import argparse
import enum

import torch
import torch.distributed as dist


class Backend(enum.Enum):
    GPU = "nccl"
    CPU = "gloo"


def count(backend):
    dist.init_process_group(backend.value)
    done = torch.ones(1, device="cuda")  # error: [set-device-missing-before-nccl]
    dist.all_reduce(done)
    dist.destroy_process_group()
    return done


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--backend", type=Backend, default=Backend("nccl"))
    print(count(parser.parse_args().backend))
