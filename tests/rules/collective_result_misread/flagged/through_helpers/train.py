import torch
import torch.distributed as dist
from comm import Communicator, reduce_tensor


def main():
    dist.init_process_group("gloo")
    communicator = Communicator()
    config = communicator.share({"lr": 0.1} if dist.get_rank() == 0 else None)
    loss = torch.rand(1)
    metrics = {"loss": reduce_tensor(loss)}
    print(config, metrics["loss"].item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
