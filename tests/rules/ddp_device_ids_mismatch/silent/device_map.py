# silent: from_pretrained puts the network on the GPU of this process by its device map
import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset
from transformers import AutoModelForSequenceClassification


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    model = AutoModelForSequenceClassification.from_pretrained(
        "distilroberta-base", num_labels=3, device_map={"": local_rank}
    )
    model = DDP(model, device_ids=[local_rank])
    gen = torch.Generator().manual_seed(21)
    data = TensorDataset(torch.randint(5, 9000, (640, 48), generator=gen), torch.randint(0, 3, (640,), generator=gen))
    sampler = DistributedSampler(data, shuffle=True)
    loader = DataLoader(data, batch_size=16, sampler=sampler)
    opt = torch.optim.AdamW(model.parameters(), lr=2e-5)
    for epoch in range(2):
        sampler.set_epoch(epoch)
        for ids, label in loader:
            loss = model(input_ids=ids.to(local_rank), labels=label.to(local_rank)).loss
            opt.zero_grad()
            loss.backward()
            opt.step()
    if dist.get_rank() == 0:
        model.module.save_pretrained("tone")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
