import argparse

import torch
from torch.distributed.device_mesh import init_device_mesh

parser = argparse.ArgumentParser()
parser.add_argument("--tensor-parallel", type=int, default=1)
parser.add_argument("--data-parallel", type=int, default=4)
args = parser.parse_args()
mesh = init_device_mesh("cpu", (args.data_parallel, args.tensor_parallel), mesh_dim_names=("data", "tensor"))
print(mesh["tensor"], torch.__version__)
