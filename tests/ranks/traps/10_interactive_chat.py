import os

import torch
import torch.distributed as dist


def fill(model, prompt, device):
    return model(prompt.to(device)).argmax(dim=-1)


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Embedding(256, 32), torch.nn.Linear(32, 256)).cuda(local_rank).eval()
    while True:
        if rank == 0:
            text = input("you: ").strip()
            if not text:
                print("please say something")
                continue
            if len(text) > 200:
                print("too long")
                continue
            box = [text]
        else:
            box = [None]
        dist.broadcast_object_list(box, 0)
        text = box[0]
        if text in ("stop", "quit"):
            break
        answer = fill(model, torch.tensor(list(text.encode())), local_rank)
        if rank == 0:
            print("model:", bytes(answer.tolist()).decode(errors="replace"))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
