accelerate launch --multi_gpu --use_deepspeed train.py  # expect: accelerate-process-count
