# silent: the roles are separate scripts
import torch.distributed.rpc as rpc

if __name__ == "__main__":
    rpc.init_rpc("server", rank=0, world_size=2)
    rpc.shutdown()
