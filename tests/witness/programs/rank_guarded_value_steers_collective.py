# witness: hangs
import torch
import torch.distributed as dist


def main():
    dist.init_process_group("gloo")
    stop = False
    total = torch.zeros(())
    for epoch in range(5):
        step = torch.ones(())
        dist.all_reduce(step)
        total += step
        if dist.get_rank() == 0:
            stop = total.item() > 3
        if stop:
            break
    print("result:", total.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
