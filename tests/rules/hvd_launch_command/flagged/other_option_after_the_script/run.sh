horovodrun python train.py --epochs 2  # error: [hvd-launch-command]
