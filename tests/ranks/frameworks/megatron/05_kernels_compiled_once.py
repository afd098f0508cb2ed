import os
import time

import torch


def load_kernels():
    print("compiling, or loading what is there")


def compile_dependencies():
    rank = torch.distributed.get_rank()
    if rank == 0:
        start = time.time()
        print("> compiling the index builder ...")
        load_kernels()
        print(f">>> done in {time.time() - start:.1f} s", flush=True)
    if rank == 0:
        load_kernels()
        torch.distributed.barrier()
    else:
        torch.distributed.barrier()
        load_kernels()
    # Nobody goes on before all have the kernels.
    torch.distributed.barrier()
    if rank == 0:
        print("kernels are there", flush=True)


def main():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    torch.distributed.init_process_group("nccl")
    compile_dependencies()
    torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main()
