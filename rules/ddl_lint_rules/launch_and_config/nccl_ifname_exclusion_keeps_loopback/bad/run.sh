#!/bin/bash
mpirun -np 16 -H n1:8,n2:8 -x NCCL_SOCKET_IFNAME=^docker0 python train.py  # error: [nccl-ifname-exclusion-keeps-loopback]
