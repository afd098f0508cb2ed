horovodrun -H localhost:4 python train.py  # error: [hvd-launch-command]
