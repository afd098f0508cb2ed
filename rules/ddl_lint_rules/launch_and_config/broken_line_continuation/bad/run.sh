#!/bin/bash
mpirun -np 16 -H s1:8,s2:8 \
    -mca plm_rsh_args "-p 12345"
    -x NCCL_DEBUG=INFO -x PATH python train.py  # error: [broken-line-continuation]
