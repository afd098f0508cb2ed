import json
import os

import torch
import torch.distributed as dist
from torch.utils.data import Dataset


class Dialogues(Dataset):
    def __init__(self, source, preprocessed):
        if os.path.exists(preprocessed):
            with open(preprocessed) as handle:
                self.turns = json.load(handle)
            if dist.get_rank() == 0:
                dist.barrier()
        else:
            assert dist.get_rank() == 0, "only the first process prepares the data"
            with open(source) as handle:
                self.turns = [line.split("\t") for line in handle]
            with open(preprocessed, "w") as handle:
                json.dump(self.turns, handle)
            dist.barrier()  # lets the others in

    def __len__(self):
        return len(self.turns)

    def __getitem__(self, index):
        return self.turns[index]


def make_data(source):
    if dist.get_rank() != 0:
        dist.barrier()
    return Dialogues(source, preprocessed=source + ".json")


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    dialogues = make_data("dialogues.tsv")
    print(len(dialogues))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
