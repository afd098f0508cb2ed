import torch
import torch.distributed as dist


def main():
    dist.init_process_group("gloo")
    world = dist.get_world_size()
    loss = torch.rand(1)
    mean = dist.all_reduce(loss) / world  # expect: collective-result-misread
    total = dist.all_reduce(loss, op=dist.ReduceOp.SUM)  # expect: collective-result-misread
    total = total * 2
    reduced = dist.reduce(loss, dst=0)  # expect: collective-result-misread
    if dist.get_rank() == 0:
        print(reduced.item())
    gathered = [torch.empty(1) for _ in range(world)]
    everything = torch.cat(dist.all_gather(gathered, loss))  # expect: collective-result-misread
    names = [None] * world
    first = dist.all_gather_object(names, "me")[0]  # expect: collective-result-misread
    weights = torch.rand(4)
    weights = dist.broadcast(weights, src=0)  # expect: collective-result-misread
    print(mean, everything, first, f"{weights.sum()}")
    count = 0
    count += dist.all_reduce(loss)  # expect: collective-result-misread
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
