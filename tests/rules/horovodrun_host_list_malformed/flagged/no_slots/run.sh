horovodrun -np 2 -H localhost python train.py  # expect: horovodrun-host-list-malformed
