import torch.distributed as dist


def main():
    dist.init_process_group("gloo")
    pair = None
    if dist.get_rank() == 0:
        pair = dist.new_group([0, 1])  # expect: new-group-not-on-all-ranks
    print(dist.get_rank(), pair is not None)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
