# witness: hangs
import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(8, 8), nn.Linear(8, 2))
    fully_shard(model, mesh=init_device_mesh("cpu", (dist.get_world_size(),)))
    if dist.get_rank() == 0:
        state = get_model_state_dict(model, options=StateDictOptions(full_state_dict=True, cpu_offload=True))
        torch.save(state, "model.pt")
    dist.barrier()
    weights = torch.load("model.pt", map_location="cpu", weights_only=True)
    print("result:", f"{sum(weight.sum().item() for weight in weights.values()):.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
