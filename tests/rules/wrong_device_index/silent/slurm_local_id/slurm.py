import os


def local_rank():
    return int(os.environ["SLURM_LOCALID"])


def world():
    return int(os.environ["SLURM_NTASKS"]), int(os.environ["SLURM_PROCID"])
