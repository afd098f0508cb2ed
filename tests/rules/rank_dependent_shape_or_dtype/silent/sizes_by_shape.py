# silent: the lengths are exchanged before, by way of the shape, and the tensors padded in a helper
import torch
import torch.distributed as dist


def gather_rows(rows, mask):
    valid = rows[mask > 0.5]
    size = torch.tensor(valid.shape[0])
    sizes = [torch.zeros_like(size) for _ in range(dist.get_world_size())]
    dist.all_gather(sizes, size)
    parts = [torch.empty(int(each), rows.shape[1]) for each in sizes]
    dist.all_gather(parts, valid)
    return torch.cat(parts)


def main():
    dist.init_process_group("gloo")
    print(gather_rows(torch.rand(8, 2), torch.rand(8)))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
