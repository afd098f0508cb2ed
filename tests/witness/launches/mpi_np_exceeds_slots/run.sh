# witness: crashes with "not enough slots", on openmpi
mpirun --allow-run-as-root -np 4 -H localhost:2 python train.py
