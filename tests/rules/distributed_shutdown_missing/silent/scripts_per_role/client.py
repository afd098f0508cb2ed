import torch
import torch.distributed.rpc as rpc

if __name__ == "__main__":
    rpc.init_rpc("client", rank=1, world_size=2)
    print(rpc.rpc_sync("server", torch.add, args=(torch.ones(1), 1)))
    rpc.shutdown()
