# silent: a wrapper of the project returns the tensor
import torch
import torch.distributed as dist


def all_reduce(tensor, op=dist.ReduceOp.SUM):
    dist.all_reduce(tensor, op=op)
    return tensor


def reduce_mean(value):
    value = value.clone()
    dist.all_reduce(value)
    return value / dist.get_world_size()


def broadcast_object(obj, src=0):
    box = [obj]
    dist.broadcast_object_list(box, src=src)
    return box[0]


def main():
    dist.init_process_group("gloo")
    loss = torch.rand(1)
    mean = all_reduce(loss) / dist.get_world_size()
    print(mean.item(), reduce_mean(loss).item(), broadcast_object({"lr": 0.1})["lr"])
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
