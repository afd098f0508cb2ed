import torch.distributed as dist


def announce(cluster, message):
    if cluster.node_rank != 0:
        return
    print(message)


def wait_for_storage(mount, node_rank):
    if node_rank == 0:
        mount()
        dist.barrier()  # error: [collective-under-rank-guard]
