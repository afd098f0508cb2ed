# silent: a store replaces the address; rank and world size are given with it
import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def main_worker(process, total, port):
    store = dist.TCPStore("127.0.0.1", port, world_size=total, is_master=process == 0)
    dist.init_process_group("gloo", store=store, rank=process, world_size=total)
    share = torch.full((4,), float(process))
    dist.broadcast(share, src=total - 1)
    print(process, share.tolist())
    dist.destroy_process_group()


def launch(total):
    mp.start_processes(main_worker, args=(total, 29624), nprocs=total, start_method="spawn")


if __name__ == "__main__":
    launch(4)
