# silent: the lengths are exchanged before
import torch
import torch.distributed as dist


def gather_uneven(scores, labels):
    valid = scores[labels != -100]
    world = dist.get_world_size()
    length = torch.tensor([len(valid)])
    lengths = [torch.zeros(1, dtype=torch.long) for _ in range(world)]
    dist.all_gather(lengths, length)
    parts = [torch.zeros(int(each.item())) for each in lengths]
    dist.all_gather(parts, valid)
    return torch.cat(parts)


def main():
    dist.init_process_group("gloo")
    print(gather_uneven(torch.rand(8), torch.randint(-1, 2, (8,))))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
