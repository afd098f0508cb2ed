# witness: crashes with "Requested more processes (4) than there are available slots (2)", on horovodrun
horovodrun -np 4 -H localhost:2 python train.py
