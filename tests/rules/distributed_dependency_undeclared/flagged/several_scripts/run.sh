deepspeed pretrain.py
deepspeed tune.py
