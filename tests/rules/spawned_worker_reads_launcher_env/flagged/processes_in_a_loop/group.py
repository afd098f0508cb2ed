import os

import torch.distributed as dist


class Group:
    def __init__(self, backend="gloo"):
        self.rank = int(os.environ["RANK"])  # error: [spawned-worker-reads-launcher-env]
        self.size = int(os.environ["WORLD_SIZE"])  # error: [spawned-worker-reads-launcher-env]
        dist.init_process_group(backend, init_method="env://")  # error: [spawned-worker-reads-launcher-env]

    def close(self):
        dist.destroy_process_group()
