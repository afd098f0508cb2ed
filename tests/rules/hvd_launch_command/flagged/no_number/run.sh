horovodrun -H localhost:4 python train.py  # expect: hvd-launch-command
