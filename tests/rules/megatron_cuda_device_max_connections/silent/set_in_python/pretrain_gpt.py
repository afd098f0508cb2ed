import os

from megatron.training import pretrain

if __name__ == "__main__":
    os.environ["CUDA_DEVICE_MAX_CONNECTIONS"] = "1"
    pretrain(None, None, None, None)
