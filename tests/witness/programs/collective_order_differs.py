# witness: wrong
import torch
import torch.distributed as dist


def main():
    dist.init_process_group("gloo")
    loss, steps = torch.tensor(0.5), torch.tensor(10.0)
    if dist.get_rank() == 0:
        dist.all_reduce(loss)
        dist.all_reduce(steps)
    else:
        dist.all_reduce(steps)
        dist.all_reduce(loss)
    print("result:", loss.item(), steps.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
