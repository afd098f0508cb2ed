horovodrun -np 4 -H $HOSTS python train.py
