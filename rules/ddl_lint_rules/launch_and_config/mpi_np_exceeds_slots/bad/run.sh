#!/bin/bash
mpirun -np 8 -H gpu1:4,gpu2:2 -bind-to none -map-by slot python train.py  # error: [mpi-np-exceeds-slots]
