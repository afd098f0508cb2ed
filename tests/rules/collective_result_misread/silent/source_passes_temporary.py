# silent: only the source passes a temporary, which nobody reads there
import torch
import torch.distributed as dist


def main():
    dist.init_process_group("gloo")
    if dist.get_rank() == 0:
        config = {"lr": 0.1}
        dist.broadcast_object_list([config], src=0)
    else:
        box = [None]
        dist.broadcast_object_list(box, src=0)
        config = box[0]
    if dist.get_rank() == 0:
        weights = torch.rand(4)
        dist.broadcast(weights.clone(), src=0)
    else:
        weights = torch.empty(4)
        dist.broadcast(weights, src=0)
    print(config, weights.sum())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
