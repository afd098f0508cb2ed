import torch
import torch.distributed as dist


def local_score(generator):
    return torch.rand(32, generator=generator).mean().item()


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
        score = local_score(generator)
        if score > best:  # expect: rank-local-loop-exit
            best = score
            save_all(step)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
