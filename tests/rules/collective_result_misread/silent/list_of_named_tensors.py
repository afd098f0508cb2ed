# silent: a list without a name holds tensors that have names
import torch
import torch.distributed as dist


def main():
    dist.init_process_group("gloo")
    mine = torch.rand(4)
    first, second = torch.empty(4), torch.empty(4)
    dist.all_gather([first, second], mine)
    rows = torch.empty(2, 4)
    dist.all_gather([rows[0], rows[1]], mine)
    dist.all_gather(list(rows.unbind()), mine)
    dist.all_reduce(mine.detach())
    dist.all_reduce(mine.view(-1))
    print(first.sum() + second.sum() + rows.sum() + mine.sum())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
