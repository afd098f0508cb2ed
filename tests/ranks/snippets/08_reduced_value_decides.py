import torch
import torch.distributed as dist


def local_loss(generator):
    return torch.rand(32, generator=generator).mean().reshape(1)


def save_all(step):
    dist.barrier()
    if dist.get_rank() == 0:
        print("checkpoint after", step)
    dist.barrier()


def main():
    dist.init_process_group("gloo")
    generator = torch.Generator().manual_seed(dist.get_rank())
    best = 0.0
    for step in range(20):
        loss = local_loss(generator)
        dist.all_reduce(loss)
        if loss.item() > best:
            best = loss.item()
            save_all(step)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
