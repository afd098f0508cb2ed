# witness: crashes with "Invalid host input", on horovodrun
horovodrun -np 2 -H localhost python train.py
