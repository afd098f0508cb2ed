#!/bin/bash
export LD_LIBRARY_PATH=/opt/nccl/lib:$LD_LIBRARY_PATH NCCL_SOCKET_IFNAME=ens5
mpirun -np 8 -H n1:4,n2:4 -bind-to none python train.py  # error: [mpirun-env-not-forwarded]
