# witness: hangs
import torch
import torch.distributed as dist


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    weights = torch.full((3,), float(rank))
    dist.broadcast(weights, src=rank)
    print("result:", weights.tolist())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
