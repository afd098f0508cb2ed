horovodrun python train.py --epochs 2  # expect: hvd-launch-command
