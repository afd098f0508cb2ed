import torch
import torch.distributed as dist


def main():
    dist.init_process_group("gloo")
    world = dist.get_world_size()
    config = {"lr": 0.1} if dist.get_rank() == 0 else None
    dist.broadcast_object_list([config], src=0)  # expect: collective-result-misread
    dist.all_gather_object([None] * world, config)  # expect: collective-result-misread
    dist.all_gather_object([None for _ in range(world)], obj=config)  # expect: collective-result-misread
    order = torch.randperm(8)
    dist.broadcast_object_list(order.tolist(), src=0)  # expect: collective-result-misread
    dist.broadcast_object_list(list(range(8)), src=0)  # expect: collective-result-misread
    losses = torch.rand(8)
    dist.all_reduce(losses.sum())  # expect: collective-result-misread
    dist.all_reduce(losses.clone().to("cpu"))  # expect: collective-result-misread
    dist.all_reduce(losses / world)  # expect: collective-result-misread
    dist.all_reduce(tensor=torch.tensor(losses.mean().item()))  # expect: collective-result-misread
    print(config, order, losses)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
