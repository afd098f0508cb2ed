accelerate launch --multi_gpu --use_deepspeed train.py  # error: [accelerate-process-count]
