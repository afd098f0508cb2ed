import torch
import torch.distributed as dist


class Trainer:
    def __init__(self, model):
        self.model = model

    def log(self, loss):
        loss = loss.detach().clone()
        work = dist.all_reduce(loss, async_op=True)
        mean = loss.item() / dist.get_world_size()  # expect: async-work-not-waited
        work.wait()
        return mean


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    trainer = Trainer(torch.nn.Linear(2, 2))
    print(trainer.log(torch.rand(1)))
    buffer = torch.empty(3)
    if rank == 1:
        request = dist.irecv(buffer, src=0)
        doubled = buffer * 2  # expect: async-work-not-waited
        request.wait()
        print(doubled)
    elif rank == 0:
        dist.send(torch.rand(3), dst=1)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
