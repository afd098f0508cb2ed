import datetime
import os

import torch
import torch.distributed as dist
from datasets import load_dataset, load_from_disk
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler
from transformers import AutoModelForCausalLM, AutoTokenizer


def tokenize(folder):
    tokenizer = AutoTokenizer.from_pretrained("gpt2")
    corpus = load_dataset("json", data_files="corpus/*.jsonl", split="train")
    corpus = corpus.map(lambda row: tokenizer(row["text"], truncation=True))
    corpus.save_to_disk(folder)


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl", timeout=datetime.timedelta(hours=6))
    if dist.get_rank() == 0:
        tokenize("tokens")
    dist.barrier()
    data = load_from_disk("tokens").with_format("torch")
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=8, sampler=sampler)
    model = DDP(AutoModelForCausalLM.from_pretrained("gpt2").cuda(), device_ids=[local_rank])
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
    for epoch in range(3):
        sampler.set_epoch(epoch)
        for batch in loader:
            tokens = batch["input_ids"].cuda()
            model(tokens, labels=tokens).loss.backward()
            optimizer.step()
            optimizer.zero_grad()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
