import torch.distributed as dist


def reduce_tensor(tensor):
    return dist.all_reduce(tensor)  # error: [collective-result-misread]


class Communicator:
    def __init__(self, group=None):
        self.group = group

    def share(self, value):
        received = dist.broadcast_object_list([value], src=0, group=self.group)  # error: [collective-result-misread]
        return received
