# silent: the list of the other ranks is empty
import torch
import torch.distributed as dist


def main():
    dist.init_process_group("gloo")
    tensor = torch.rand(2)
    parts = []
    if dist.get_rank() == 0:
        parts = [torch.empty(2) for _ in range(dist.get_world_size())]
    dist.gather(tensor, parts, dst=0)
    everything = [torch.empty(2) for _ in range(dist.get_world_size())]
    if dist.get_rank() != 0:
        everything = None
    dist.gather(tensor, everything)
    print(parts, everything)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
