# silent: the script is a test
import torch
import torch.distributed as dist


def main():
    dist.init_process_group("gloo")
    value = torch.ones(1)
    dist.all_reduce(value)
    assert value.item() == dist.get_world_size()


if __name__ == "__main__":
    main()
