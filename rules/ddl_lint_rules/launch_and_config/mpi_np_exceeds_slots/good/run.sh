#!/bin/bash
mpirun -np 6 -H gpu1:4,gpu2:2 -bind-to none -map-by slot python train.py
