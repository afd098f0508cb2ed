import torch.distributed as dist


def holder():
    with open("holder", "r") as stream:
        return int(stream.readline())


def hand_on(rank):
    with open("holder", "w") as stream:  # error: [unguarded-filesystem-write]
        stream.write(str(rank))


def main():
    dist.init_process_group("gloo")
    hand_on(0)
    dist.barrier()
    while holder() != dist.get_rank():
        pass
    print("my part")
    hand_on(dist.get_rank() + 1)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
