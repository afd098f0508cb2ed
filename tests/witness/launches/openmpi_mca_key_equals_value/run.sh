# witness: crashes with "NCCL_DEBUG=INFO", on openmpi
mpirun --allow-run-as-root -np 2 -H localhost:2 -mca btl_tcp_if_exclude=docker0,lo -x NCCL_DEBUG=INFO python train.py
