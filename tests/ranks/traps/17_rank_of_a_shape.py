import torch
import torch.distributed as dist


def spread(tensor):
    rank = len(tensor.shape)
    if rank == 0:
        tensor = tensor.reshape(1)
        dist.broadcast(tensor, src=0)
        return tensor[0]
    if rank > 2:
        for piece in tensor:
            dist.broadcast(piece, src=0)
        return tensor
    dist.broadcast(tensor, src=0)
    return tensor


def main():
    dist.init_process_group("gloo")
    print(spread(torch.tensor(3.0)).item(), spread(torch.zeros(2, 2, 2)).shape, spread(torch.ones(4)).sum().item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
