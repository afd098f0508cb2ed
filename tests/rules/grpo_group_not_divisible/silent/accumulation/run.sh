accelerate launch --multi_gpu --num_processes 7 grpo.py
