import torch
import torch.distributed as dist


def improve(rounds):
    weights = torch.empty(16)
    for _ in range(rounds):
        dist.recv(weights, src=0)
        dist.send(0.1 * (torch.ones(16) - weights), dst=0)


def main():
    dist.init_process_group("gloo", init_method="tcp://127.0.0.1:29622", rank=1, world_size=2)
    improve(rounds=10)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
