# witness: crashes with "Error(s) in loading state_dict for Linear"
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("gloo")
    model = DDP(torch.nn.Linear(4, 2))
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), "model.pt")
    dist.barrier()
    plain = torch.nn.Linear(4, 2)
    plain.load_state_dict(torch.load("model.pt", map_location="cpu"))
    print("result:", plain.weight.tolist())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
