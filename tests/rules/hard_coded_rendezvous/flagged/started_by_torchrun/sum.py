import torch
import torch.distributed as dist


def own_rank():
    import socket

    return int(socket.gethostname().rpartition("-")[2])


def main():
    dist.init_process_group("gloo", init_method="tcp://localhost:29507", rank=own_rank(), world_size=2)  # error: [hard-coded-rendezvous]
    total = torch.ones(1)
    dist.all_reduce(total)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
