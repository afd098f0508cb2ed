#!/bin/bash
mpirun -np 4 -H a:2,b:2 -mca btl_tcp_if_exclude lo,docker0 python train.py
