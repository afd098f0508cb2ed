# witness: hangs
import torch
import torch.distributed as dist


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    peer = 1 - rank
    mine, theirs = torch.full((1 << 22,), 1.0), torch.zeros(1 << 22)
    dist.send(mine, dst=peer)
    dist.recv(theirs, src=peer)
    print("result:", theirs.sum().item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
