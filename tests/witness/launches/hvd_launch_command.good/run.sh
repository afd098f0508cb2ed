horovodrun -np 2 python train.py
