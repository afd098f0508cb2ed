#!/bin/bash
mpirun -np 4 -H a:2,b:2 -mca btl_tcp_if_exclude docker0 python train.py  # error: [openmpi-interface-selection]
