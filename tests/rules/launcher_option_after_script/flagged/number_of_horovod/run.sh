horovodrun python train.py -np 2  # error: [launcher-option-after-script]
