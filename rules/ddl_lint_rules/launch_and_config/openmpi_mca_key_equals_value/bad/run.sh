#!/bin/bash
mpirun -np 4 -H n1:2,n2:2 -mca btl_tcp_if_exclude=docker0,lo -x NCCL_DEBUG=INFO python train.py  # error: [openmpi-mca-key-equals-value]
