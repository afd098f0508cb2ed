# witness: crashes with "unsupported operand type(s) for /: 'NoneType' and 'int'"
import torch
import torch.distributed as dist


def main():
    dist.init_process_group("gloo")
    settings = {"scale": 2.0} if dist.get_rank() == 0 else None
    dist.broadcast_object_list([settings], src=0)
    loss = torch.tensor(float(dist.get_rank()))
    mean = dist.all_reduce(loss) / dist.get_world_size()
    print("result:", settings["scale"] * mean.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
