# witness: wrong
import torch.distributed as dist


def main():
    dist.init_process_group("gloo")
    is_main = dist.get_rank() == 0
    for epoch in range(4):
        last = epoch == 3
        if is_main and epoch % 2 == 0 or last:
            with open("epochs.txt", "a") as log:
                print(epoch, file=log)
    dist.barrier()
    with open("epochs.txt") as log:
        print("result:", len(log.readlines()), "lines")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
