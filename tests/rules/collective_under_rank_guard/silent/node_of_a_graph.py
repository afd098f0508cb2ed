# silent: a node of the graph is no machine of the job; nothing says that the ranks differ in it
import torch.distributed as dist


def refresh(graph, node_id):
    if node_id == 0:
        dist.barrier()
    return graph.neighbours(node_id)
