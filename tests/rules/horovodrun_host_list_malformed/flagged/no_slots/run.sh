horovodrun -np 2 -H localhost python train.py  # error: [horovodrun-host-list-malformed]
