accelerate launch --num_processes 1 tune.py
