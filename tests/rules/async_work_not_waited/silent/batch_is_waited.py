# silent: what `batch_isend_irecv` gives is waited for
import torch
import torch.distributed as dist


def exchange(mine, theirs, peer):
    ops = [dist.P2POp(dist.isend, mine, peer), dist.P2POp(dist.irecv, theirs, peer)]
    for request in dist.batch_isend_irecv(ops):
        request.wait()
    requests = dist.batch_isend_irecv([dist.P2POp(dist.isend, mine, peer), dist.P2POp(dist.irecv, theirs, peer)])
    for request in requests:
        request.wait()
    return theirs.sum()


def main():
    dist.init_process_group("gloo")
    print(exchange(torch.rand(3), torch.empty(3), 1 - dist.get_rank()))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
