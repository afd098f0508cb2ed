import torch
import torch.distributed as dist


def main():
    dist.init_process_group("gloo")
    tensor = torch.rand(3)
    dist.all_reduce(tensor).wait()  # expect: collective-result-misread
    work = dist.broadcast(tensor, 0, async_op=False)  # expect: collective-result-misread
    work.wait()
    handles = []
    for _ in range(2):
        handles.append(dist.all_reduce(tensor))  # expect: collective-result-misread
    for handle in handles:
        handle.wait()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
