deepspeed --num_gpus 2 --include localhost:4,5 train.py  # error: [deepspeed-device-selection-conflict]
