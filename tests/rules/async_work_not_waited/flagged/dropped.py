import torch
import torch.distributed as dist


def send_activation(tensor, stage):
    dist.isend(tensor, dst=stage + 1)  # expect: async-work-not-waited


def average(model):
    for parameter in model.parameters():
        dist.all_reduce(parameter.grad, op=dist.ReduceOp.SUM, async_op=True)  # expect: async-work-not-waited
        parameter.grad /= dist.get_world_size()


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    model = torch.nn.Linear(2, 2)
    model(torch.rand(1, 2)).sum().backward()
    average(model)
    buffer = torch.empty(4)
    if rank == 0:
        send_activation(torch.rand(4), rank)
    elif rank == 1:
        dist.irecv(buffer, 0)  # expect: async-work-not-waited
        print(buffer.sum())
    dist.broadcast(buffer, 0, None, True)  # expect: async-work-not-waited
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
