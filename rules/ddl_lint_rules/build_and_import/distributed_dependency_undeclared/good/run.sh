deepspeed train.py
