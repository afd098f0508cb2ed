# silent: objects are gathered
import torch
import torch.distributed as dist


def main():
    dist.init_process_group("gloo")
    scores = torch.rand(8)
    valid = scores[scores > 0.5]
    everybody = [None] * dist.get_world_size()
    dist.all_gather_object(everybody, valid)
    print(everybody)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
