# silent: one process of each node unpacks the data to the disk of its node
import json
import os
import shutil
import tarfile

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

SCRATCH = "/tmp/voices"


def unpack(archive):
    shutil.rmtree(SCRATCH, ignore_errors=True)
    os.mkdir(SCRATCH)
    with tarfile.open(archive) as tar:
        tar.extractall(SCRATCH)
    with open(os.path.join(SCRATCH, "done.json"), "w") as handle:
        json.dump({"archive": archive}, handle)


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    if local_rank == 0:
        unpack("voices.tar")
    dist.barrier()
    voices = torch.load(os.path.join(SCRATCH, "voices.pt"), map_location="cpu")
    data = TensorDataset(voices["signal"], voices["speaker"])
    sampler = DistributedSampler(data, shuffle=True)
    loader = DataLoader(data, batch_size=32, sampler=sampler)
    model = DDP(nn.Linear(400, 20).to(local_rank), device_ids=[local_rank])
    opt = torch.optim.Adam(model.parameters())
    for epoch in range(5):
        sampler.set_epoch(epoch)
        for signal, speaker in loader:
            opt.zero_grad()
            nn.functional.cross_entropy(model(signal.to(local_rank)), speaker.to(local_rank)).backward()
            opt.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
