horovodrun python train.py -np 2  # expect: launcher-option-after-script
